import type { FinishedCell } from "./cell-runner.js";
import { changeFolder, currentFolder } from "./primordials.js";

/** Runs a cell in a working folder of its own, and goes back to the one before whatever happened meanwhile. */
export async function inFolder(cwd: string | undefined, run: () => Promise<FinishedCell>): Promise<FinishedCell> {
  if (cwd === undefined) return run();
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
  const message = `The cell was not run: ${cwd} can't be its working folder: ${code}.`;
  const error = { type: "ArtificerError", message, traceback: `ArtificerError: ${message}`, code: "cell/bad-folder" };
  return { result: { status: "failed", hasValue: false, error }, parts: [] };
}
