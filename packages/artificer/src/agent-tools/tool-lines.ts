import { renderCatalog, type ToolInfo } from "@artificer/runtime";

/** The tools of a session for a model's eyes: each as it is called, within what a description may cost on every turn. */
export function toolLines(tools: readonly ToolInfo[], elsewhere = ""): string {
  if (tools.length === 0) return "There are no tools in this session: plain code only.";
  return `Tools. ${renderCatalog(tools, { elsewhere })}`;
}
