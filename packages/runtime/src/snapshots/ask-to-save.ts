import {
  ArtificerError,
  type SnapshotSaveParams,
  type SnapshotSaveResult,
  snapshotSaveResult,
} from "@artificer/protocol";
import type { Kernel } from "../kernel/kernel.js";

export interface AskToSaveOptions {
  params: SnapshotSaveParams;
  /** The longest that the kernel may be busy with it, in milliseconds. */
  maxMs: number;
  /** How long a kernel that was told to stop has for it, in milliseconds; then it is ended. */
  graceMs: number;
  /** The variable that the kernel is busy with. */
  variable(): string;
}

/** Asks a kernel for its variables; `withdraw` makes it stop early, and an answer comes all the same. */
export function askToSave(
  kernel: Kernel,
  { params, maxMs, graceMs, variable }: AskToSaveOptions,
): { promise: Promise<SnapshotSaveResult>; withdraw(): void } {
  const { id, reply } = kernel.request("snapshot.save", params);
  let killTimer: NodeJS.Timeout | undefined;
  const withdraw = () => {
    if (killTimer !== undefined) return;
    kernel.cancel(id, "a cell is to run");
    killTimer = setTimeout(() => void kernel.kill(stuck(variable(), graceMs)), graceMs);
  };
  const timer = setTimeout(withdraw, maxMs);
  const promise = (async () => {
    try {
      return snapshotSaveResult.parse(await reply);
    } finally {
      clearTimeout(timer);
      clearTimeout(killTimer);
    }
  })();
  return { promise, withdraw };
}

function stuck(variable: string, graceMs: number): ArtificerError {
  const what = variable === "" ? "its variables" : `the variable ${variable}`;
  return new ArtificerError("kernel/killed", `saving ${what} did not stop within ${graceMs} ms of being told to.`, {
    details: { variable, graceMs },
    hint: "An object in it runs code of its own when it is pickled, and that does not end.",
  });
}
