import { isMainThread } from "node:worker_threads";

// What the kernel itself relies on, kept before any cell can replace it.
export const now = performance.now.bind(performance);
export const startImmediate = setImmediate;
/** Ends the kernel at once: its process, or its thread where it is one of the host's. */
export const endProcess: () => void = isMainThread
  ? process.kill.bind(process, process.pid, "SIGKILL")
  : process.exit.bind(process, 1);
export const changeFolder = process.chdir.bind(process);
export const currentFolder = process.cwd.bind(process);
let folder = process.cwd();

/** The session's folder, whatever `process.chdir` a cell has called since. */
export function workingFolder(): string {
  return folder;
}

/** Makes it another one. @throws the system's error for a folder that can't be used. */
export function enterFolder(path: string): void {
  process.chdir(path);
  folder = process.cwd();
}
