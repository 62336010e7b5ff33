import { toArtificerError } from "@artificer/protocol";
import type { CoreSession, Outcome } from "@artificer/runtime";
import type { AgentTool, AgentToolCallOptions } from "./agent-tool.js";
import { describeExecuteCode } from "./describe-execute-code.js";
import { type KernelFacts, kernelFacts, type OutputFacts, outputFacts } from "./outcome-facts.js";
import { readCode } from "./read-code.js";
import { readTimeout } from "./read-timeout.js";

/** What `execute_code` answers: the first four always, whatever happened. */
export interface ExecuteCodeAnswer {
  status: "success" | "error" | "timeout" | "interrupted";
  /** What the model should read: output, value, traceback, remarks. */
  output: string;
  /** Calls that went to their tools in this run. */
  tool_calls_made: number;
  /** From the call to its answer, with two decimals. */
  duration_seconds: number;
  /** Present unless `status` is `success`. */
  error?: string;
  /** What the code exited with, when it called `sys.exit`. */
  exit_code?: number;
  /** The kernel that the code ran in; absent when nothing was run. */
  kernel?: KernelFacts;
  /** Whether output was cut, and how much of it there was; always there. */
  stdout: OutputFacts;
  stderr: OutputFacts;
}

export interface ExecuteCodeToolOptions {
  /** How long one run may take unless the model says otherwise; default the session's own limit. */
  timeoutMs?: number;
  /** The longest time that the model may ask for by `timeout_seconds`; default `timeoutMs`. */
  maxTimeoutMs?: number;
}

const statuses: Record<Outcome["status"], ExecuteCodeAnswer["status"]> = {
  completed: "success",
  failed: "error",
  crashed: "error",
  refused: "error",
  "timed-out": "timeout",
  interrupted: "interrupted",
};

/** The tool `execute_code` for any agent: one cell a call, in the session's persistent Python kernel. */
export function createExecuteCodeTool(
  session: CoreSession,
  options: ExecuteCodeToolOptions = {},
): AgentTool<ExecuteCodeAnswer> {
  const { limits } = session;
  // The session's own limit may change while it is open.
  const bounds = () => {
    const { timeoutMs = limits.timeoutMs, maxTimeoutMs = timeoutMs } = options;
    return { timeoutMs: Math.min(timeoutMs, maxTimeoutMs), maxTimeoutMs };
  };
  const { timeoutMs, maxTimeoutMs } = bounds();
  // Left to the session where the host says nothing: an edit of its limits is seen only as the cell runs.
  const usual = () => (options.timeoutMs === undefined && options.maxTimeoutMs === undefined ? undefined : timeoutMs);
  const maxSeconds = maxTimeoutMs / 1000;
  const { mode = "project" } = session.parts;
  return {
    name: "execute_code",
    description: describeExecuteCode({ tools: session.toolset.list(), limits, timeoutMs, mode }),
    inputSchema: {
      type: "object",
      properties: {
        code: {
          type: "string",
          description: "Python source. Print what you need to read, or make it the last expression.",
        },
        reset: {
          type: "boolean",
          default: false,
          description: "Start a fresh kernel before this run: no variables of earlier ones.",
        },
        timeout_seconds: {
          type: "number",
          exclusiveMinimum: 0,
          maximum: maxSeconds,
          description: `Seconds that this run may take; ${timeoutMs / 1000} unless given, ${maxSeconds} at most. Waiting for tools does not count.`,
        },
      },
      required: ["code"],
      additionalProperties: false,
    },
    async call(args: unknown, callOptions: AgentToolCallOptions = {}) {
      const from = performance.now();
      const read = readCode(args, { tool: "execute_code", known: ["code", "reset", "timeout_seconds"] });
      if ("problem" in read) return failed(read.problem, from);
      const { reset = false } = read.given;
      if (typeof reset !== "boolean")
        return failed(`'reset' must be true or false, not ${JSON.stringify(reset)}.`, from);
      const time = readTimeout(read.given.timeout_seconds, bounds());
      if ("problem" in time) return failed(time.problem, from);
      try {
        if (reset) await session.restart("python");
        return answer(await session.run(read.code, { ...callOptions, timeoutMs: time.timeoutMs ?? usual() }), from);
      } catch (thrown) {
        const { message, hint } = toArtificerError(thrown);
        return failed(hint === undefined ? message : `${message} ${hint}`, from);
      }
    },
  };
}

function answer(outcome: Outcome, from: number): ExecuteCodeAnswer {
  const { error, toolCalls } = outcome;
  return {
    status: statuses[outcome.status],
    output: outcome.toText(),
    tool_calls_made: toolCalls.filter(({ reached }) => reached).length,
    duration_seconds: secondsSince(from),
    ...(error === undefined
      ? {}
      : { error: error.type === undefined ? error.message : `${error.type}: ${error.message}` }),
    ...(error?.exitCode === undefined ? {} : { exit_code: error.exitCode }),
    ...kernelFacts(outcome),
    stdout: outputFacts(outcome, "stdout"),
    stderr: outputFacts(outcome, "stderr"),
  };
}

function failed(error: string, from: number): ExecuteCodeAnswer {
  const nothing = { truncated: false, bytes_kept: 0, bytes_total: 0, bytes_omitted: 0 };
  return {
    status: "error",
    output: "",
    tool_calls_made: 0,
    duration_seconds: secondsSince(from),
    error,
    stdout: nothing,
    stderr: { ...nothing },
  };
}

function secondsSince(from: number): number {
  return Math.round((performance.now() - from) / 10) / 100;
}
