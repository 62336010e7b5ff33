export {
  type CliToolDraft,
  createCliToolkit,
  type DraftOptions,
  draftCliTool,
  loadCliToolkits,
  type ToolProblem,
} from "@artificer/tools/cli";
export { checkHttpDefinition, type HttpDefinitionInput, openHttpToolkit } from "@artificer/tools/http";
export { checkMcpDefinition, loadMcpServers, type McpDefinitionInput, openMcpToolkit } from "@artificer/tools/mcp";
export {
  createBraveSearch,
  createSearxngSearch,
  createTavilySearch,
  createWebToolkit,
  type SearchHit,
  type SearchProvider,
  type WebOptions,
} from "@artificer/tools/web";
export { createWorkspaceToolkit, type WorkspaceOptions } from "@artificer/tools/workspace";
export { acceptDescription } from "./accept-description.js";
export { createSecretResolver } from "./create-secret-resolver.js";
export type { ToolLoad } from "./gather-toolkits.js";
export { loadToolFolder, type ToolLoadOptions } from "./load-tool-folder.js";
