import type { Executor } from "@artificer/protocol";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { ExecutorKind } from "../config/config-schema.js";
import { Session } from "../session/session.js";
import { createMcpServer } from "./create-mcp-server.js";
import type { McpServerOptions } from "./mcp-server-options.js";

export interface ServeMcpOptions extends McpServerOptions {
  /** The base folder; what is missing in it is made. */
  base: string;
  /** Where kernels run; default as config.yaml says. One of your own stays yours to close. */
  executor?: Executor | ExecutorKind;
  /** URL or folder of the storage; default as config.yaml says, else the base. */
  storage?: string;
  /** False keeps cells from changing the packages. Default as config.yaml says. */
  allowRuntimeDeps?: boolean;
  /** Ends serving. */
  signal?: AbortSignal;
}

/**
 * Serves a base over standard input and output until the client goes or `signal` fires; then closes the session.
 * Standard output carries the protocol and nothing else: whatever logs to the console here goes to standard error.
 *
 * @throws ArtificerError as `Session.fromBase` does
 */
export async function serveMcpStdio(options: ServeMcpOptions): Promise<void> {
  const { base, executor, storage, allowRuntimeDeps, signal, ...serverOptions } = options;
  for (const method of ["log", "info", "debug"] as const) console[method] = console.error;
  await using session = await Session.fromBase(base, { executor, storage, allowRuntimeDeps, longLived: true });
  for (const { message, hint } of session.problems) console.error(`warning: ${message}${hint ? ` ${hint}` : ""}`);

  const transport = new StdioServerTransport();
  const handle = serveStdio(() => createMcpServer(session, serverOptions), {
    transport,
    onerror: (error) => console.error(`mcp: ${error.message}`),
  });
  await new Promise<void>((resolve) => {
    const served = transport.onclose;
    transport.onclose = () => {
      served?.();
      resolve();
    };
    if (signal?.aborted) resolve();
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
  await handle.close();
}
