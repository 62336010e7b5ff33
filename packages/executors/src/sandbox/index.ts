export { createSandboxExecutor } from "./create-sandbox-executor.js";
export type { SandboxExecutorOptions, SandboxWorkspace } from "./sandbox-options.js";
