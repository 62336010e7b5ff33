export { createToolkit, type FunctionToolkitOptions } from "./create-toolkit.js";
export {
  type ArgumentsOf,
  type ArgumentsSchema,
  defineTool,
  type FunctionTool,
  type FunctionToolOptions,
} from "./define-tool.js";
