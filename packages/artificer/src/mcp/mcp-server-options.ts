/** How a session is shown to an MCP client. */
export interface McpServerOptions {
  /** Name told to the client; default `artificer`. */
  name?: string;
  /** Version told to the client. */
  version?: string;
  /** A cell's time limit where a call gives none; default the session's own. */
  timeoutMs?: number;
}
