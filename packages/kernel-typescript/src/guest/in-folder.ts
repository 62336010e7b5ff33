import { isMainThread } from "node:worker_threads";
import type { FinishedCell } from "./cell-runner.js";
import { changeFolder, currentFolder } from "./primordials.js";
import { refused } from "./thread/refused.js";

/** Runs a cell in a working folder of its own, and goes back to the one before whatever happened meanwhile. */
export async function inFolder(cwd: string | undefined, run: () => Promise<FinishedCell>): Promise<FinishedCell> {
  if (cwd === undefined) return run();
  if (!isMainThread) return notRun(refused("working folder of its own", "Use absolute paths"));
  let before: string;
  try {
    before = currentFolder();
    changeFolder(cwd);
  } catch (thrown) {
    return notEntered(cwd, thrown);
  }
  try {
    return await run();
  } finally {
    try {
      changeFolder(before);
    } catch {
      // The cell has removed it.
    }
  }
}

function notEntered(cwd: string, thrown: unknown): FinishedCell {
  const { code = "it can't be entered" } = thrown as NodeJS.ErrnoException;
  return notRun({
    code: "cell/bad-folder",
    message: `The cell was not run: ${cwd} can't be its working folder: ${code}.`,
  });
}

function notRun({ code, message }: { code: string; message: string }): FinishedCell {
  const error = { type: "ArtificerError", message, traceback: `ArtificerError: ${message}`, code };
  return { result: { status: "failed", hasValue: false, error }, parts: [] };
}
