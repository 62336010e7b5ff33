import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { ArtificerError } from "@artificer/protocol";

/**
 * Starts a process in a group of its own, so that it and what it starts can be ended together.
 *
 * @throws ArtificerError `kernel/start-failed`
 */
export function spawnChild(command: readonly string[], options: SpawnOptions): Promise<ChildProcess> {
  const [file = "", ...args] = command;
  const failed = (cause: unknown) =>
    new ArtificerError("kernel/start-failed", `The kernel's process could not be started: ${messageOf(cause)}.`, {
      details: { program: file, cwd: options.cwd?.toString() },
      hint: `See whether ${file} can be run by this user, and whether the machine has processes and memory to spare.`,
      cause,
    });
  return new Promise((resolve, reject) => {
    try {
      const child = spawn(file, args, { ...options, detached: true, windowsHide: true });
      child.once("error", (cause) => reject(failed(cause)));
      if (child.pid !== undefined) resolve(child);
    } catch (cause) {
      reject(failed(cause));
    }
  });
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
