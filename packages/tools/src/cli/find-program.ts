import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/**
 * Finds a program as a shell would: a name is looked for in the folders of `path`, anything with a slash is a file, relative to
 * `folder`. Synchronous, since it takes microseconds and listings ask for it. Undefined when there is none that can be run.
 */
export function findProgram(
  command: string,
  options: { path: string | undefined; folder: string; platform?: NodeJS.Platform },
): string | undefined {
  // A .cmd or .bat is no program but a text for a shell, which would read arguments as its own language.
  const endings = (options.platform ?? process.platform) === "win32" ? ["", ".exe", ".com"] : [""];
  if (/[/\\]/.test(command) || isAbsolute(command))
    return endings.map((end) => resolve(options.folder, command + end)).find(canRun);
  for (const folder of (options.path ?? "").split(delimiter)) {
    // An empty entry would mean the current folder: nothing is ever run from there by accident.
    if (folder === "" || !isAbsolute(folder)) continue;
    const found = endings.map((end) => join(folder, command + end)).find(canRun);
    if (found !== undefined) return found;
  }
  return undefined;
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
