export type { Environment } from "./child-environment.js";
export { type CliToolkitOptions, createCliToolkit } from "./create-cli-toolkit.js";
export type { CliDefinitionInput } from "./definition.js";
export { type LoadCliToolkitsOptions, loadCliToolkits, type ToolProblem } from "./load-cli-toolkits.js";
export { starterDefinitions } from "./starter-definitions.js";
