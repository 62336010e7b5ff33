export { createWorkspaceToolkit, type WorkspaceOptions } from "./create-workspace-toolkit.js";
export type { TerminalOptions } from "./terminal-tool.js";
export type { WorkspaceLimits } from "./workspace-context.js";
