import type { Language, ToolDefinition, Toolkit } from "@artificer/protocol";
import type { ArgumentCheck } from "./argument-check.js";
import type { SchemaParameters } from "./read-parameters.js";

/** A tool with all that is worked out once about it. */
export interface ToolEntry {
  toolkit: Toolkit;
  definition: ToolDefinition;
  /** `toolkit.tool`, in the tool's own names. */
  path: string;
  /** The names that cells use for it: `tools`' dotted ones in each language, and all of them with the flat ones of the scripting form. */
  aliases: { dotted: readonly string[]; all: readonly string[] };
  schema: SchemaParameters;
  check: ArgumentCheck;
  timeoutMs: number;
  /** How to call it, in each language. */
  signatures: Record<Language, string>;
}
