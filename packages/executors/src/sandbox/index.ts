export type { Workspace } from "../workspace/workspace.js";
export { createSandboxExecutor } from "./create-sandbox-executor.js";
export type { SandboxExecutorOptions } from "./sandbox-options.js";
