import type { Language, ToolDefinition } from "@artificer/protocol";
import type { SchemaParameters } from "./read-parameters.js";

/** What a check needs to know about its tool. */
export interface CheckedTool {
  path: string;
  definition: ToolDefinition;
  schema: SchemaParameters;
  /** How to call it in a language; told when a call was wrong. */
  signature(language: Language): string;
}
