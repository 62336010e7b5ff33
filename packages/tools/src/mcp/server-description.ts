import { createHash } from "node:crypto";
import type { JsonSchema } from "@artificer/protocol";
import type { Client } from "@modelcontextprotocol/client";
import { z } from "zod";
import { nestsDeeperThan } from "../yaml/nests-deeper-than.js";

const maxSchemaDepth = 300;

const describedTool = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  annotations: z
    .object({
      title: z.string().optional(),
      readOnlyHint: z.boolean().optional(),
      destructiveHint: z.boolean().optional(),
      openWorldHint: z.boolean().optional(),
    })
    .optional(),
});

/** What a server says about itself. All of it is data: nothing in it is ever followed as an instruction. */
export const serverDescription = z.object({
  server: z.object({ name: z.string(), version: z.string() }),
  instructions: z.string().optional(),
  tools: z.array(describedTool),
  resources: z.boolean(),
  prompts: z.boolean(),
  /** Names that the server gave to more than one tool; the first is kept. */
  repeated: z.array(z.string()),
  /** Tools whose schemas are nested too deep to be used; they take any arguments. */
  tooDeep: z.array(z.string()).default([]),
});
export type ServerDescription = z.infer<typeof serverDescription>;
export type DescribedTool = z.infer<typeof describedTool>;

/** Asks a server for all of its description. */
export async function describeServer(client: Client, timeoutMs: number): Promise<ServerDescription> {
  const capabilities = client.getServerCapabilities() ?? {};
  const { tools } =
    capabilities.tools === undefined
      ? { tools: [] }
      : await client.listTools(undefined, { timeout: timeoutMs, cacheMode: "refresh" });
  const byName = new Map<string, DescribedTool>();
  const repeated = new Set<string>();
  const tooDeep: string[] = [];
  for (const tool of tools) {
    if (byName.has(tool.name)) repeated.add(tool.name);
    else byName.set(tool.name, describedTool.parse(usable(tool, tooDeep)));
  }
  const version = client.getServerVersion();
  const instructions = client.getInstructions();
  return {
    server: { name: version?.name ?? "", version: version?.version ?? "" },
    ...(instructions === undefined ? {} : { instructions }),
    tools: [...byName.values()],
    resources: capabilities.resources !== undefined,
    prompts: capabilities.prompts !== undefined,
    repeated: [...repeated],
    tooDeep,
  };
}

type ListedTool = Awaited<ReturnType<Client["listTools"]>>["tools"][number];

/** Whatever walks a schema would run out of stack on one that is nested for that purpose. */
function usable(tool: ListedTool, tooDeep: string[]): Omit<ListedTool, "inputSchema"> & { inputSchema: JsonSchema } {
  const { outputSchema, ...rest } = tool;
  const inputSchema = tool.inputSchema as JsonSchema;
  if (!nestsDeeperThan([inputSchema, outputSchema], maxSchemaDepth)) return { ...tool, inputSchema };
  tooDeep.push(tool.name);
  return { ...rest, inputSchema: { type: "object" } };
}

/** The hash by which a description is pinned: of everything that a model might read or that shapes a call, whatever the order. */
export function descriptionHash(description: ServerDescription): string {
  const { instructions, resources, prompts } = description;
  const tools = [...description.tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  return hashOf({ instructions, resources, prompts, tools });
}

/** A tool's own part of the hash. */
export function toolHash(tool: DescribedTool): string {
  return hashOf(tool);
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value, sortKeys)).digest("hex");
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
