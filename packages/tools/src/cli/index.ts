export type { Environment } from "./child-environment.js";
export { type CliToolkitOptions, createCliToolkit } from "./create-cli-toolkit.js";
export type { CliDefinitionInput } from "./definition.js";
export { type CliToolDraft, type DraftOptions, draftCliTool } from "./draft/draft-cli-tool.js";
export {
  duplicateToolkit,
  type LoadCliToolkitsOptions,
  loadCliToolkits,
  readCliToolkit,
} from "./load-cli-toolkits.js";
export { readToolFiles, type ToolFile, type ToolProblem } from "./read-tool-files.js";
export { starterDefinitions } from "./starter-definitions.js";
