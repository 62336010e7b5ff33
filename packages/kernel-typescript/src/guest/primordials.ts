// What the kernel itself relies on, kept before any cell can replace it.
export const now = performance.now.bind(performance);
export const startImmediate = setImmediate;
export const endProcess = process.kill.bind(process, process.pid, "SIGKILL");
export const changeFolder = process.chdir.bind(process);
export const currentFolder = process.cwd.bind(process);
export const workingFolder = process.cwd();
