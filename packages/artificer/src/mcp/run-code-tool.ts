import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Session } from "../session/session.js";
import { describeRunCode } from "./describe-run-code.js";
import { eliciting } from "./eliciting.js";
import type { McpServerOptions } from "./mcp-server-options.js";
import { progressNotices } from "./progress-notices.js";

const input = z.object({
  code: z.string().describe("The cell. Top-level await works; the last expression is the value."),
  language: z.enum(["python", "typescript"]).optional().describe("Default: python."),
  timeout_seconds: z
    .number()
    .positive()
    .max(86_400)
    .optional()
    .describe("The cell's own time; waiting for tools is free."),
  check: z
    .boolean()
    .optional()
    .describe("TypeScript only: look for errors of type first, and run nothing if there are any."),
  reset: z.boolean().optional().describe("Start over with a fresh kernel before running: no variables."),
});

/** Registers `run_code`. */
export async function registerRunCode(server: McpServer, session: Session, options: McpServerOptions): Promise<void> {
  const timeoutMs = options.timeoutMs ?? session.limits.timeoutMs;
  const { maxToolCalls } = session.limits;
  const description = describeRunCode({ tools: await session.listTools(), timeoutMs, maxToolCalls });
  server.registerTool(
    "run_code",
    { title: "Run code", description, inputSchema: input },
    ({ code, language, timeout_seconds: seconds, reset, check }, { mcpReq }) =>
      eliciting(server, session, mcpReq, async (about) => {
        if (reset) await session.restart(language ?? "python");
        // Without either it is the session's own, which may change while it is open.
        const limit = seconds === undefined ? options.timeoutMs : seconds * 1000;
        return session.run(code, { language, timeoutMs: limit, check, ...progressNotices(mcpReq), ...about });
      }),
  );
}
