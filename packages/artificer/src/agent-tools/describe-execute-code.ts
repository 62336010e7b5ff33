import type { SessionLimits, ToolInfo } from "@artificer/runtime";
import { toolLines } from "./tool-lines.js";

export interface ExecuteCodeFacts {
  tools: readonly ToolInfo[];
  limits: SessionLimits;
  timeoutMs: number;
  mode: "project" | "strict";
}

/** What the model is told of `execute_code`: made from the tools, the mode and the limits that the session really has. */
export function describeExecuteCode({ tools, limits, timeoutMs, mode }: ExecuteCodeFacts): string {
  return `Runs Python that calls tools as functions. Use it when several calls belong together, with logic between them: loops over results, \
filtering what is large before you read it, branches, retries. For a single call whose result you will read in full, call that tool itself.

State persists: variables, imports and functions of earlier calls are there, unless reset is true. Top-level await works. Only what the code prints, \
and the value of its last expression, comes back; what tools return stays in the kernel until then.

${toolLines(tools)}
The same functions can be imported: from artificer_tools import ${importNames(tools)}. Helpers: from artificer_tools import json_parse, shell_quote, retry.

Limits: ${seconds(timeoutMs)} of running, waiting for tools not counted; ${limits.maxToolCalls} tool calls a run; stdout over ${size(limits.maxStdoutBytes)} \
and stderr over ${size(limits.maxStderrBytes)} are cut to head and tail, and the whole is kept as an artifact that artifacts.load(name) reads back. A value too large to show \
is kept as _1, _2, … after the number of its run. A run that is out of time is interrupted and keeps its variables; only one that can't be interrupted loses them, and the answer says so.

${modes[mode]}`;
}

const modes = {
  project:
    "The working directory is the session's own, the interpreter that of the active venv or conda environment when there is one; modules of the project can be imported.",
  strict:
    "The working directory is a temp dir of the session, the interpreter Artificer's own: use absolute paths or tools to reach other files.",
} as const;

/** The two most telling, whatever there is. */
function importNames(tools: readonly ToolInfo[]): string {
  const names = tools.map(({ path }) => path.split(".").at(-1)!).filter((name) => /^[A-Za-z_]\w*$/.test(name));
  return names.length === 0 ? "…" : [...new Set(names)].slice(0, 2).join(", ");
}

function seconds(ms: number): string {
  return ms >= 120_000 && ms % 60_000 === 0 ? `${ms / 60_000} minutes` : `${ms / 1000} seconds`;
}

function size(bytes: number): string {
  return bytes >= 1_000 ? `${Number((bytes / 1_000).toPrecision(3))} KB` : `${bytes} bytes`;
}
