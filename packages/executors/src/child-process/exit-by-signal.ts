import { constants } from "node:os";
import type { KernelExit } from "@artificer/protocol";

/** What stands between a kernel and its host tells a signal that ended the kernel as shells do, by 128 and its number. */
export function exitBySignal(exit: KernelExit): KernelExit {
  const signal = Object.entries(constants.signals).find(([, number]) => exit.code === 128 + number)?.[0];
  return signal === undefined ? exit : { code: null, signal };
}
