import { buildCommand } from "@stricli/core";
import { baseFolder } from "../base-folder.js";
import type { CliContext } from "../context.js";
import { baseFlags, executorFlag, type SessionFlags, timeoutFlag } from "../shared-flags.js";
import { version } from "../version.js";

interface McpFlags extends Omit<SessionFlags, "json"> {
  timeout?: number;
}

export const mcpCommand = buildCommand<McpFlags, [], CliContext>({
  docs: {
    brief: "Serve a base to an MCP client over stdio",
    fullDescription: `Serves one session over standard input and output: run_code, the skills, tools and artifacts. Variables live as
long as the client stays connected. In the client's configuration:

  {"mcpServers": {"artificer": {"command": "artificer", "args": ["mcp", "--base", "/path/to/.artificer"]}}}`,
  },
  parameters: {
    flags: { executor: executorFlag, timeout: timeoutFlag, base: baseFlags.base, debug: baseFlags.debug },
    aliases: { t: "timeout" },
  },
  async func(flags) {
    const { serveMcpStdio } = await import("artificer/mcp");
    const { executor, timeout: timeoutMs } = flags;
    const base = baseFolder(this.io, flags.base);
    await serveMcpStdio({ base, executor, timeoutMs, version: version(), signal: this.io.signal });
  },
});
