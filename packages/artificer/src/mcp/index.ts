export { createMcpServer, type McpServerOptions } from "./create-mcp-server.js";
export { type ServeMcpOptions, serveMcpStdio } from "./serve-mcp-stdio.js";
