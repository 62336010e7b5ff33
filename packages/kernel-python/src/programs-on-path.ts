import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Every program of that name in the folders of a PATH, in their order. */
export function programsOnPath(name: string, searchPath: string): string[] {
  return searchPath
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .filter(isProgram);
}

/** Whether a file is there that this user may run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
