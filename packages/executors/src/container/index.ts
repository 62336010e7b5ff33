export type { Workspace } from "../workspace/workspace.js";
export type { ContainerExecutorOptions } from "./container-options.js";
export { createContainerExecutor } from "./create-container-executor.js";
