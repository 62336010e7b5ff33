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
export const workingFolder = process.cwd();
