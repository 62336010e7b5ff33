import { ArtificerError, type Toolkit, type ToolProgress, type Value } from "@artificer/protocol";
import type { Client, RequestOptions } from "@modelcontextprotocol/client";
import { cancelled, orCancelled } from "../remote/cancelled.js";
import { plainJson } from "../remote/plain-json.js";
import { redactError, redactValue } from "../remote/redact-value.js";
import { createRedactor } from "../remote/redactor.js";
import type { ResolveSecret } from "../remote/secret-value.js";
import { callError } from "./call-error.js";
import { type DescriptionCache, descriptionKey } from "./description-cache.js";
import { type DescriptionChange, describeChange } from "./description-change.js";
import type { Environment } from "./expand-variables.js";
import { isLostSession } from "./lost-session.js";
import { McpConnection } from "./mcp-connection.js";
import type { McpDefinition } from "./mcp-definition.js";
import { refusedRequest } from "./refuse-request.js";
import { resultValue } from "./result-value.js";
import { descriptionHash, type ServerDescription } from "./server-description.js";
import { type ToolTable, toolTable } from "./tool-definitions.js";

/** What the host gives to a server's toolkit. */
export interface McpToolkitOptions {
  /** Where `${VAR}` looks, and the few harmless variables come from; the host's own environment by default. */
  environment?: Environment;
  resolveSecret?: ResolveSecret;
  /** With it, a server whose description is known is not started before its first call. */
  descriptions?: DescriptionCache;
  /**
   * Where the descriptions are kept that are taken for good: the first one a server gives, then those accepted. With it, what differs is told
   * in every session until it is accepted; without, it is told once.
   */
  pins?: DescriptionCache;
  /** Told when the server describes itself otherwise than it did before, in this session or an earlier one. */
  onChanged?: (change: DescriptionChange) => void;
  /** Told of progress of calls whose own context asks for none. */
  onProgress?: (progress: ToolProgress & { toolkit: string; tool: string }) => void;
  /** Told what was put up with: a repeated tool name, a cache that can't be written. */
  onWarning?: (message: string) => void;
}

/** A toolkit behind which a server stands. `tools` follows what the server says. */
export interface McpToolkit extends Toolkit {
  /** The hash by which the server's description is pinned. */
  readonly hash: string;
  /** Takes what the server says now for good. @returns whether that is anything new. */
  accept(): Promise<boolean>;
  /** What the server would like models to be told. Data, not instructions. */
  readonly instructions: string | undefined;
  /** The server's tool of the toolkit's own name, if it has one. */
  readonly directTool?: string;
  onChanged(listener: () => void): () => void;
  close(): Promise<void>;
}

/** Timers take no more; the caller's signal and the definition's own bound come first. */
const noTimeoutMs = 2 ** 31 - 1;

/**
 * Makes a toolkit of an MCP server. The server is started at once, to learn its tools, unless the cache knows them.
 *
 * @throws ArtificerError `tool/unavailable`, `tool/timed-out`, `tool/program-missing`, `tool/definition-invalid`, `tool/secret-missing`.
 */
export async function openMcpToolkit(definition: McpDefinition, options: McpToolkitOptions = {}): Promise<McpToolkit> {
  const { name, maxResultBytes } = definition;
  const redactor = createRedactor();
  const key = descriptionKey(definition);
  let known: ServerDescription | undefined;
  let pinned = await options.pins?.load(key);
  let table: ToolTable = { definitions: [], companions: new Map() };

  const listeners = new Set<() => void>();

  const adopt = (description: ServerDescription) => {
    known = description;
    table = toolTable(description, definition);
  };
  const keep = async (where: DescriptionCache | undefined, description: ServerDescription) => {
    await where?.save(key, description).catch((error: unknown) => {
      options.onWarning?.(`${name}: its description can't be kept: ${error instanceof Error ? error.message : error}`);
    });
  };
  const pin = async (description: ServerDescription) => {
    pinned = description;
    await keep(options.pins, description);
  };
  const onDescription = async (description: ServerDescription) => {
    const change = known === undefined ? undefined : describeChange(name, known, description);
    const news = known === undefined || change !== undefined;
    adopt(description);
    if (!news) return;
    for (const repeated of description.repeated) {
      options.onWarning?.(
        `${name}: the server has several tools named ${repeated}; the first one's description is used.`,
      );
    }
    for (const tool of description.tooDeep)
      options.onWarning?.(`${name}: the schemas of ${tool} are nested too deep and are not used.`);
    const told = pinned === undefined ? change : describeChange(name, pinned, description);
    if (told !== undefined) options.onChanged?.(told);
    if (change !== undefined) for (const listener of listeners) listener();
    await keep(options.descriptions, description);
    if (options.pins !== undefined && pinned === undefined) await pin(description);
  };
  const context = { environment: options.environment ?? process.env, resolveSecret: options.resolveSecret, redactor };
  const connection = new McpConnection(definition, context, {
    onDescription,
    onRefused: (method) =>
      options.onWarning?.(`${name}: the server asked for ${method}, which is refused: ${refusedRequest(method)}`),
  });
  const clean = (error: unknown, tool?: string) =>
    redactError(callError(error, { toolkit: name, tool, maxResultBytes, end: connection.end }), redactor);

  const cached = definition.start === "lazy" ? await options.descriptions?.load(key) : undefined;
  if (cached !== undefined) {
    adopt(cached);
    const told = pinned === undefined ? undefined : describeChange(name, pinned, cached);
    if (told !== undefined) options.onChanged?.(told);
    if (options.pins !== undefined && pinned === undefined) await pin(cached);
  }
  if (cached === undefined) {
    try {
      await connection.client();
    } catch (error) {
      await connection.close();
      throw clean(error);
    }
  }

  const invoke = async (client: Client, tool: string, given: Record<string, unknown>, request: RequestOptions) => {
    const args = plainJson(given) as Record<string, unknown>;
    const companion = table.companions.get(tool);
    if (companion !== undefined) return companion.call(client, args, request);
    if (!table.definitions.some((candidate) => candidate.name === tool)) throw unknownTool(tool, name, table);
    return resultValue(await client.callTool({ name: tool, arguments: args }, request), name, tool);
  };

  return {
    name,
    get description() {
      return definition.description ?? `Tools of the MCP server ${known?.server.name || name}.`;
    },
    get tools() {
      return table.definitions;
    },
    get hash() {
      return known === undefined ? "" : descriptionHash(known);
    },
    async accept() {
      if (options.pins === undefined || known === undefined) return false;
      const news = pinned === undefined || describeChange(name, pinned, known) !== undefined;
      if (news) await pin(known);
      return news;
    },
    get instructions() {
      return known?.instructions;
    },
    get directTool() {
      return table.definitions.some((tool) => tool.name === name) ? name : undefined;
    },
    async call(tool, args, { signal, onProgress }): Promise<Value> {
      const where = `${name}.${tool}`;
      const progress =
        onProgress ?? (options.onProgress && ((told) => options.onProgress?.({ ...told, toolkit: name, tool })));
      const request: RequestOptions = {
        signal,
        timeout: definition.timeoutMs ?? noTimeoutMs,
        ...(progress === undefined ? {} : { onprogress: progress }),
      };
      for (let attempt = 1; ; attempt++) {
        let client: Client | undefined;
        try {
          client = await orCancelled(connection.client(), signal, where);
          return redactValue(await invoke(client, tool, args, request), redactor);
        } catch (error) {
          if (signal.aborted) throw cancelled(signal, where);
          if (attempt === 1 && client !== undefined && isLostSession(error, client)) {
            await connection.drop(client);
            continue;
          }
          throw clean(error, tool);
        }
      }
    },
    onChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => connection.close(),
  };
}

function unknownTool(tool: string, toolkit: string, { definitions }: ToolTable): ArtificerError {
  const names = definitions.map(({ name }) => name);
  return new ArtificerError("tool/unknown-tool", `The server ${toolkit} has no tool ${tool} (any more).`, {
    details: { toolkit, tool, tools: names.slice(0, 50) },
    hint: "List its tools again: servers may change them while they run.",
  });
}
