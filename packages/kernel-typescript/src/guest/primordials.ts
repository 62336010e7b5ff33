// What the kernel itself relies on, kept before any cell can replace it.
export const now = performance.now.bind(performance);
export const startImmediate = setImmediate;
export const endProcess = process.kill.bind(process, process.pid, "SIGKILL");
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
