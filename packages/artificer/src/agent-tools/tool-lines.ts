import type { ToolInfo } from "@artificer/runtime";

/** Signatures shown in a description; the rest is found by search. */
const maxListed = 30;

/** The tools of a session for a model's eyes: each as it is called, with the first line of its description. */
export function toolLines(tools: readonly ToolInfo[], elsewhere = ""): string {
  if (tools.length === 0) return "There are no tools in this session: plain code only.";
  const lines = tools.slice(0, maxListed).map(({ signature, description }) => {
    const brief = description.trim().split(/\r?\n/, 1)[0] ?? "";
    return `- ${signature}: ${brief.length > 120 ? `${brief.slice(0, 119)}…` : brief}`;
  });
  const rest = tools.length - maxListed;
  return `Tools, called as shown:
${lines.join("\n")}${rest > 0 ? `\n… and ${rest} more: tools.list(), tools.search("…")${elsewhere}.` : ""}`;
}
