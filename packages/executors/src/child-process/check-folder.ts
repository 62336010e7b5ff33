import { statSync } from "node:fs";
import { ArtificerError } from "@artificer/protocol";

/**
 * `spawn` blames the program when its working folder is missing; this says what is.
 *
 * @throws ArtificerError `kernel/start-failed`
 */
export function checkFolder(cwd: string): void {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new ArtificerError("kernel/start-failed", `The kernel's working folder ${cwd} is not there.`, {
    details: { cwd },
    hint: "Create the folder, or name another one.",
  });
}
