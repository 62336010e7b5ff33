import { z } from "zod";
import { effectClass } from "../remote/effect-class.js";
import { nameFilter } from "../remote/name-filter.js";
import { secretValue } from "../remote/secret-value.js";

const transports = ["stdio", "http", "streamable-http", "sse"] as const;

/** One MCP server: a program to start, or an address to reach. Unknown fields are refused. */
export const mcpDefinition = z
  .strictObject({
    type: z.literal("mcp"),
    /** The toolkit's name in cells. */
    name: z.string().min(1),
    description: z.string().optional(),
    tags: z.array(z.string()).optional(),
    /** Without it: stdio for a command; streamable HTTP, then SSE, for a URL. */
    transport: z.enum(transports).optional(),
    command: z.string().min(1).optional(),
    args: z.array(secretValue).default([]),
    /** Beyond the few harmless variables that every server gets. `${VAR}` stands for a variable of the host. */
    env: z.record(z.string(), secretValue).default({}),
    cwd: z.string().optional(),
    url: z.string().min(1).optional(),
    headers: z.record(z.string(), secretValue).default({}),
    /** `lazy` starts the server at the first call when its description is known from before. */
    start: z.enum(["lazy", "eager"]).default("lazy"),
    startTimeoutMs: z.number().int().positive().max(3_600_000).default(30_000),
    /** Bound on one call. */
    timeoutMs: z.number().int().positive().max(86_400_000).optional(),
    /** Bound on one message of the server, which is one result. */
    maxResultBytes: z
      .number()
      .int()
      .min(1024)
      .default(16 * 1024 * 1024),
    tools: nameFilter.optional(),
    /** The class of tools about which the server says nothing; by the protocol's own default, destructive. */
    effect: effectClass.default("destructive"),
    /** What tools do to the world, by name: overrules the server's hints, which are claims and no proof. */
    effects: z.record(z.string(), effectClass).default({}),
    /** `legacy` (the 2025 handshake, which every server speaks), `auto`, or an exact later revision such as 2026-07-28. */
    protocol: z.string().default("legacy"),
  })
  .superRefine((definition, context) => {
    const problem = transportProblem(definition);
    if (problem !== undefined) context.addIssue({ code: "custom", path: [problem.field], message: problem.message });
  });

/** One MCP server as checked, defaults filled in. */
export type McpDefinition = z.output<typeof mcpDefinition>;

/** One MCP server as written. */
export type McpDefinitionInput = z.input<typeof mcpDefinition>;

interface TransportFields {
  transport?: (typeof transports)[number];
  command?: string;
  url?: string;
}

function transportProblem({
  transport,
  command,
  url,
}: TransportFields): { field: string; message: string } | undefined {
  if (command !== undefined && url !== undefined)
    return { field: "url", message: "a server has a command or a url, not both" };
  if (transport === "stdio" && command === undefined)
    return { field: "transport", message: "transport stdio needs a command to start" };
  if (transport !== undefined && transport !== "stdio" && url === undefined)
    return { field: "transport", message: `transport ${transport} needs a url` };
  if (command === undefined && url === undefined)
    return { field: "command", message: "a server needs a command (stdio) or a url (http, sse)" };
  return undefined;
}
