import type { ToolInfo } from "@artificer/runtime";
import { toolLines } from "../agent-tools/tool-lines.js";

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
artifacts.load(name) keep values beyond this session. Python and TypeScript have variables of their own: share("rows", rows) hands a value over, \
and take("rows") or shared.rows is it in the other language (await all three in TypeScript).

${toolLines(tools, " (or the tool search_tools)")}`;
}
