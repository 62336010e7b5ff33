import type { JsonSchema, Value } from "@artificer/protocol";
import type { Client, RequestOptions } from "@modelcontextprotocol/client";
import { jsonToValue } from "../remote/json-to-value.js";
import { blockValue, resourceValue } from "./result-value.js";
import type { ServerDescription } from "./server-description.js";

/** A tool that reaches what a server offers besides tools: its resources and prompts. */
export interface Companion {
  /** Its name in the toolkit, which no tool of the server has. */
  name: string;
  kind: string;
  description: string;
  inputSchema: JsonSchema;
  call(client: Client, args: Record<string, unknown>, options: RequestOptions): Promise<Value>;
}

type CompanionPlan = Omit<Companion, "name"> & { needs: "resources" | "prompts" };

const noArguments: JsonSchema = { type: "object", properties: {}, additionalProperties: false };

const plans: CompanionPlan[] = [
  {
    kind: "list_resources",
    needs: "resources",
    description: "Lists the server's resources: uri, name, description, mimeType.",
    inputSchema: noArguments,
    call: async (client, _args, options) => jsonToValue((await client.listResources(undefined, options)).resources),
  },
  {
    kind: "list_resource_templates",
    needs: "resources",
    description: "Lists the server's resource templates: uriTemplate, name, description, mimeType.",
    inputSchema: noArguments,
    call: async (client, _args, options) =>
      jsonToValue((await client.listResourceTemplates(undefined, options)).resourceTemplates),
  },
  {
    kind: "read_resource",
    needs: "resources",
    description: "Reads a resource: text as a string, bytes as {uri, mimeType, data}, several parts as a list.",
    inputSchema: {
      type: "object",
      properties: { uri: { type: "string", description: "As list_resources shows it." } },
      required: ["uri"],
      additionalProperties: false,
    },
    call: async (client, { uri }, options) =>
      resourceValue(await client.readResource({ uri: String(uri) }, { ...options, cacheMode: "bypass" })),
  },
  {
    kind: "list_prompts",
    needs: "prompts",
    description: "Lists the server's prompts: name, description, arguments.",
    inputSchema: noArguments,
    call: async (client, _args, options) => jsonToValue((await client.listPrompts(undefined, options)).prompts),
  },
  {
    kind: "get_prompt",
    needs: "prompts",
    description: "Gives a prompt filled in: {description, messages: [{role, content}]}.",
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", description: "As list_prompts shows it." },
        arguments: { type: "object", additionalProperties: { type: "string" }, description: "The prompt's arguments." },
      },
      required: ["name"],
      additionalProperties: false,
    },
    async call(client, args, options) {
      const given = args.arguments as Record<string, string> | undefined;
      const params = { name: String(args.name), ...(given == null ? {} : { arguments: given }) };
      const { description, messages } = await client.getPrompt(params, options);
      return {
        description: description ?? null,
        messages: messages.map(({ role, content }) => ({ role, content: blockValue(content) })),
      };
    },
  },
];

/** The companions that a server needs, under names that none of its tools has, in whatever spelling a language gives them. */
export function companionTools({ resources, prompts }: ServerDescription, taken: readonly string[]): Companion[] {
  const offered = { resources, prompts };
  const used = new Set(taken.map(spelling));
  return plans
    .filter(({ needs }) => offered[needs])
    .map(({ needs: _, ...plan }) => {
      let name = plan.kind;
      for (let count = 1; used.has(spelling(name)); count++) name = `mcp_${plan.kind}${count === 1 ? "" : `_${count}`}`;
      used.add(spelling(name));
      return { ...plan, name };
    });
}

function spelling(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}
