import { toArtificerError } from "@artificer/protocol";
import type { CoreSession, Outcome } from "@artificer/runtime";
import type { AgentTool, AgentToolCallOptions } from "./agent-tool.js";
import { readCode } from "./read-code.js";
import { toolLines } from "./tool-lines.js";

/** What `execute` and `restart` answer. */
export interface CodeModeAnswer {
  /** For the model to read. */
  content: string;
  /** Pictures that the cell showed, for models that see. */
  images: { mimeType: string; data: Uint8Array }[];
  /** True when the cell did not complete. */
  isError: boolean;
}

export interface CodeModeToolsOptions {
  /** False leaves `restart` out. Default true. */
  allowRestart?: boolean;
  /** How long one cell may take; default the session's own limit. */
  timeoutMs?: number;
}

const pictureTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** The tools `execute` and, when allowed, `restart`, of the session that was given: nothing a model says can choose another. */
export function createCodeModeTools(
  session: CoreSession,
  { allowRestart = true, timeoutMs }: CodeModeToolsOptions = {},
): AgentTool<CodeModeAnswer>[] {
  const tools = [executeTool(session, { allowRestart, timeoutMs })];
  if (allowRestart) tools.push(restartTool(session));
  return tools;
}

function executeTool(
  session: CoreSession,
  { allowRestart, timeoutMs }: { allowRestart: boolean; timeoutMs: number | undefined },
): AgentTool<CodeModeAnswer> {
  const { limits } = session;
  return {
    name: "execute",
    description: `Runs one cell of Python in a persistent kernel, as in a notebook. Variables, imports and functions stay for later cells: \
keep results under names and print summaries. The answer holds stdout, stderr, the last expression's value as Out[n] and the traceback, each cut to head and tail \
beyond its limit with the whole kept as an artifact. A cell may run ${(timeoutMs ?? limits.timeoutMs) / 1000} seconds and make ${limits.maxToolCalls} tool calls.${allowRestart ? " restart gives a fresh kernel when this one is beyond repair." : ""}

${toolLines(session.toolset.list())}
They block, or are awaited under the toolkit's own name; help(tools.<toolkit>.<tool>) explains one.`,
    inputSchema: {
      type: "object",
      properties: { code: { type: "string", description: "The cell. Top-level await works." } },
      required: ["code"],
      additionalProperties: false,
    },
    async call(args: unknown, options: AgentToolCallOptions = {}) {
      const read = readCode(args, { tool: "execute", known: ["code"] });
      if ("problem" in read) return { content: read.problem, images: [], isError: true };
      return answering(async () => answer(await session.run(read.code, { ...options, timeoutMs })));
    },
  };
}

function restartTool(session: CoreSession): AgentTool<CodeModeAnswer> {
  return {
    name: "restart",
    description:
      "Ends the kernel and starts a fresh one: all variables, imports and functions of cells are gone. Skills and artifacts stay.",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    call: () =>
      answering(async () => {
        await session.restart("python");
        return {
          content: "The kernel was ended; the next cell runs in a fresh one, without variables.",
          images: [],
          isError: false,
        };
      }),
  };
}

function answer(outcome: Outcome): CodeModeAnswer {
  return {
    content: outcome.toText(),
    images: outcome.displays.flatMap(pictures),
    isError: outcome.status !== "completed",
  };
}

function pictures({ data }: Outcome["displays"][number]): CodeModeAnswer["images"] {
  const mimeType = pictureTypes.find((type) => data[type] !== undefined);
  if (mimeType === undefined) return [];
  const part = data[mimeType]!;
  return [{ mimeType, data: typeof part === "string" ? Buffer.from(part, "base64") : part }];
}

async function answering(work: () => Promise<CodeModeAnswer>): Promise<CodeModeAnswer> {
  try {
    return await work();
  } catch (thrown) {
    const { message, hint } = toArtificerError(thrown);
    return { content: hint === undefined ? message : `${message} ${hint}`, images: [], isError: true };
  }
}
