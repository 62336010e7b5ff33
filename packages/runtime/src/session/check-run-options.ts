import { ArtificerError } from "@artificer/protocol";
import type { CellOptions } from "./execute-cell.js";

const maxAuthorChars = 200;

/** @throws ArtificerError `usage/invalid-argument` for an author or a folder that can't be one. */
export function checkRunOptions({ author, cwd }: CellOptions): void {
  if (author !== undefined && (typeof author !== "string" || author === "" || author.length > maxAuthorChars))
    throw invalid("author", `a name of 1 to ${maxAuthorChars} characters`, author);
  if (cwd !== undefined && (typeof cwd !== "string" || cwd === "" || cwd.includes("\0")))
    throw invalid("cwd", "a folder's path", cwd);
}

function invalid(option: string, wanted: string, given: unknown): ArtificerError {
  const shown = typeof given === "string" ? JSON.stringify(given.slice(0, 40)) : String(given);
  return new ArtificerError("usage/invalid-argument", `The option ${option} of run must be ${wanted}, not ${shown}.`, {
    details: { option },
  });
}
