import { existsSync, mkdirSync } from "node:fs";
import { resolve } from "node:path";

/** The folders as whole paths, made where they are missing. Those that can't be made, as in a base that is read-only, are left out. */
export function makeReadable(folders: readonly string[]): string[] {
  return folders.map((folder) => resolve(folder)).filter(isMade);
}

function isMade(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    // Not for us to make.
  }
  return existsSync(folder);
}
