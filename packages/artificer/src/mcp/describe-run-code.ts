import type { ToolInfo } from "@artificer/runtime";

/** Signatures shown in the description; the rest is found by search. */
const maxListed = 30;

/** What the model is told of `run_code`: made from the tools and limits that this session really has. */
export function describeRunCode(facts: {
  tools: readonly ToolInfo[];
  timeoutMs: number;
  maxToolCalls: number;
}): string {
  const { tools, timeoutMs, maxToolCalls } = facts;
  return `Runs one cell of code in a persistent kernel and answers with its output and the value of its last expression. \
Variables, imports and functions stay for the next cells of this connection; reset starts over. A cell may take ${timeoutMs / 1000} seconds, unless timeout_seconds says otherwise, and make \
${maxToolCalls} tool calls. Print or return only what you need to read: results of tools stay in the kernel until then. \
skills.search("what is to be done") finds saved workflows and skills.invoke(name, ...) runs them; artifacts.save(name, value) and \
artifacts.load(name) keep values beyond this session.

${toolLines(tools)}`;
}

function toolLines(tools: readonly ToolInfo[]): string {
  if (tools.length === 0) return "There are no tools in this session: plain code only.";
  const lines = tools.slice(0, maxListed).map(({ signature, description }) => {
    const brief = description.trim().split(/\r?\n/, 1)[0] ?? "";
    return `- ${signature}: ${brief.length > 120 ? `${brief.slice(0, 119)}…` : brief}`;
  });
  const rest = tools.length - maxListed;
  return `Tools, called as shown:
${lines.join("\n")}${rest > 0 ? `\n… and ${rest} more: tools.list(), tools.search("…") or the tool search_tools.` : ""}`;
}
