import type { ToolBinding } from "@artificer/protocol";

const needs = {
  confirmation: "a person confirms each call",
  input: "a person fills in a part",
  external: "a person carries it out",
} as const;

/** What stubs say of a tool's effect, where it does more than read; empty otherwise. */
export function effectLine(tool: Pick<ToolBinding, "effect" | "needs">): string {
  const does = tool.effect === undefined || tool.effect === "read" ? [] : [`Effect: ${tool.effect}.`];
  const waits = tool.needs === undefined ? [] : [`Waits: ${needs[tool.needs]}.`];
  return [...does, ...waits].join(" ");
}
