import type { Language, OutcomeError, ToolCallRecord } from "@artificer/protocol";
import { missingModuleHint } from "./missing-module-hint.js";
import { notTextHint } from "./not-text-hint.js";

/** What a session knows that its cells don't, for hints. */
export interface HintFacts {
  /** Why `deps.add` is no way out here; undefined where it is one. */
  depsClosed: "locked" | "no installer" | undefined;
  /** The members of what a tool answers, as its schema tells them. */
  resultMembers(tool: string): readonly string[];
}

/** A step that mends a failure of a kind that is met often; undefined for any other. */
export function failureHint(
  error: OutcomeError,
  cell: { language: Language; toolCalls: readonly ToolCallRecord[] },
  facts: HintFacts,
): string | undefined {
  // A SyntaxError may come from running code as well: JSON.parse throws it.
  if (error.code !== "cell/exception" && error.code !== "cell/syntax") return undefined;
  return missingModuleHint(error, cell.language, facts) ?? notTextHint(error, cell, facts);
}
