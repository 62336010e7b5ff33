export { createSubprocessExecutor, type SubprocessExecutorOptions } from "./create-subprocess-executor.js";
