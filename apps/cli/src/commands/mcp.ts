import { buildCommand } from "@stricli/core";
import type { CliContext } from "../context.js";
import { baseFlags, executorFlag, runtimeDepsFlag, type SessionFlags, timeoutFlag } from "../shared-flags.js";
import { sessionBase, storageFlags, storageUrl } from "../storage-flags.js";
import { version } from "../version.js";

interface McpFlags extends Omit<SessionFlags, "json"> {
  timeout?: number;
}

export const mcpCommand = buildCommand<McpFlags, [], CliContext>({
  docs: {
    brief: "Serve a base to an MCP client over stdio",
    fullDescription: `Serves one session over standard input and output: run_code, the skills, tools and artifacts. Variables live as
long as the client stays connected. In the client's configuration:

  {"mcpServers": {"artificer": {"command": "artificer", "args": ["mcp", "--base", "/path/to/.artificer"]}}}

With skills, tools and artifacts in a store that others share, whose password stands in the environment alone:

  artificer mcp --base /path/to/.artificer --redis 'redis://agent:\${REDIS_PASSWORD}@host:6379?prefix=acme'`,
  },
  parameters: {
    flags: {
      executor: executorFlag,
      runtimeDeps: runtimeDepsFlag,
      timeout: timeoutFlag,
      base: baseFlags.base,
      ...storageFlags,
      debug: baseFlags.debug,
    },
    aliases: { t: "timeout" },
  },
  async func(flags) {
    const { serveMcpStdio } = await import("artificer/mcp");
    const { executor, timeout: timeoutMs, runtimeDeps: allowRuntimeDeps } = flags;
    const base = sessionBase(this.io, flags, { create: true });
    const storage = storageUrl(this.io, flags);
    await serveMcpStdio({
      base,
      executor,
      storage,
      allowRuntimeDeps,
      timeoutMs,
      version: version(),
      signal: this.io.signal,
    });
  },
});
