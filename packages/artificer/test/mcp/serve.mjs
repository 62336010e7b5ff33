// What an MCP client starts: the built package, serving the base named on the command line.
import { serveMcpStdio } from "artificer/mcp";

const ending = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => ending.abort());
await serveMcpStdio({ base: process.argv[2], signal: ending.signal });
