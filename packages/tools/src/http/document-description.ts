import { createHash } from "node:crypto";
import type { ServerDescription } from "../mcp/server-description.js";
import type { HttpDefinition } from "./http-definition.js";
import type { HttpOperation } from "./http-operation.js";
import type { OpenApiDocument } from "./openapi-document.js";
import { argumentsSchema } from "./operation-tool.js";

/**
 * What a document says that a model might read or that shapes a call, as the descriptions of MCP servers are kept. Schemas that operations
 * share are one hash: written out under each operation, those of a large API would come to gigabytes.
 */
export function documentDescription(
  { info, components }: OpenApiDocument,
  operations: readonly HttpOperation[],
): ServerDescription {
  const shared = createHash("sha256")
    .update(JSON.stringify(components ?? {}))
    .digest("hex");
  return {
    server: { name: info?.title ?? "", version: "" },
    instructions: `${info?.title ?? ""}\n${info?.description ?? ""}\n${shared}`,
    tools: operations.map((operation) => ({
      name: operation.name,
      title: `${operation.method} ${operation.baseUrl} ${operation.path}`,
      description: operation.description,
      inputSchema: argumentsSchema(operation),
    })),
    resources: false,
    prompts: false,
    repeated: [],
    tooDeep: [],
  };
}

/** Under which key a document is pinned: another address is another document. */
export function documentKey({ name, openapi }: HttpDefinition): string {
  const facts = JSON.stringify(["openapi", name, openapi]);
  return createHash("sha256").update(facts).digest("hex").slice(0, 32);
}
