export { createMcpServer } from "./create-mcp-server.js";
export type { McpServerOptions } from "./mcp-server-options.js";
export { type ServeMcpOptions, serveMcpStdio } from "./serve-mcp-stdio.js";
