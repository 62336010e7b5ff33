import { ArtificerError, type ToolDefinition, type Toolkit, type Value } from "@artificer/protocol";
import { cancelled } from "../remote/cancelled.js";
import { type DescriptionPin, type DescriptionPinOptions, pinDescription } from "../remote/description-pin.js";
import { passesFilter } from "../remote/name-filter.js";
import { redactError } from "../remote/redact-value.js";
import { createRedactor } from "../remote/redactor.js";
import type { ResolveSecret } from "../remote/secret-value.js";
import { createAddressPolicy } from "./address-policy.js";
import { buildRequest, type HttpRequest } from "./build-request.js";
import { createCredentials } from "./credentials.js";
import { documentDescription, documentKey } from "./document-description.js";
import { endpointOperation } from "./endpoint-operation.js";
import { createGuardedAgent, type Resolver } from "./guarded-agent.js";
import { type HttpResponse, sendRequest } from "./http-client.js";
import type { HttpDefinition, Pagination } from "./http-definition.js";
import type { HttpOperation } from "./http-operation.js";
import { loadDocument } from "./load-document.js";
import { checkOpenApiDocument, type OpenApiDocument } from "./openapi-document.js";
import { openApiOperations } from "./openapi-operations.js";
import { operationTool } from "./operation-tool.js";
import { listingTool, walkPages } from "./paginate.js";
import { bodyValue, statusError } from "./response-value.js";
import { isRepeatable, sendWithRetries } from "./retry.js";

/** What the host gives to an API's toolkit. */
export interface HttpToolkitOptions extends DescriptionPinOptions {
  /** The folder against which `openapi` is resolved; the working folder by default. */
  directory?: string;
  resolveSecret?: ResolveSecret;
  /** Hosts and address ranges granted beyond those of the definition. */
  allow?: readonly string[];
  /** Resolves names instead of Node's `dns.lookup`. */
  resolver?: Resolver;
}

/** A toolkit behind which an HTTP API stands. One whose document comes from an address has the pin of what that describes. */
export interface HttpToolkit extends Toolkit, Partial<DescriptionPin> {
  close(): Promise<void>;
}

/**
 * Makes a toolkit of an HTTP API: every operation of its OpenAPI document, and every endpoint listed by hand, is a tool.
 *
 * @throws ArtificerError `tool/definition-invalid`, or what became of fetching the document.
 */
export async function openHttpToolkit(
  definition: HttpDefinition,
  options: HttpToolkitOptions = {},
): Promise<HttpToolkit> {
  const policy = createAddressPolicy([...definition.network.allow, ...(options.allow ?? [])]);
  const agent = createGuardedAgent(policy, options.resolver);
  const redactor = createRedactor();
  const closing = new AbortController();
  let apiOrigin: string | undefined;
  const credentials = createCredentials(definition, {
    agent,
    redactor,
    resolveSecret: options.resolveSecret,
    host: () => (apiOrigin === undefined ? undefined : new URL(apiOrigin).host),
  });
  try {
    const { document, operations } = await readOperations(definition, options.directory ?? process.cwd(), agent);
    const table = new Map(operations.map((operation) => [operation.name, operation]));
    apiOrigin = originOf(definition, operations);

    const send = async (request: HttpRequest, operation: HttpOperation, signal: AbortSignal): Promise<HttpResponse> => {
      // Credentials are the API's alone: an operation that a document puts elsewhere goes without.
      const trusted = operation.authenticated && request.url.origin === apiOrigin;
      const { maxResponseBytes: maxBytes, maxRedirects, maxRetryAfterMs } = definition;
      const retries = isRepeatable(operation.method) ? definition.retries : 0;
      for (let attempt = 1; ; attempt++) {
        const authorize = trusted ? await credentials.prepare(signal) : undefined;
        const once = () => sendRequest(agent, request, { maxBytes, maxRedirects, authorize, signal });
        const response = await sendWithRetries(once, { retries, maxRetryAfterMs, signal });
        if (response.status === 401 && attempt === 1 && authorize !== undefined && credentials.forget(authorize))
          continue;
        if (response.status >= 400) throw statusError(response, operation.method, redactor);
        return response;
      }
    };

    const callOperation = async (operation: HttpOperation, args: Record<string, unknown>, signal: AbortSignal) => {
      const response = await send(buildRequest(operation, args), operation, signal);
      const body = bodyValue(response, redactor);
      if (definition.returns === "body" && operation.method !== "HEAD") return body;
      const headers = Object.fromEntries([...response.headers].map(([name, value]) => [name, redactor.redact(value)]));
      return { status: response.status, headers, body };
    };

    const callListing = (
      operation: HttpOperation,
      args: Record<string, unknown>,
      bounded: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>,
    ) =>
      walkPages(pagination(definition, operation.name)!, { args, maxBytes: definition.maxResponseBytes }, (page) =>
        bounded(async (signal) => {
          const first = buildRequest(operation, "args" in page ? page.args : args);
          const request = "url" in page ? { ...first, url: page.url } : first;
          const response = await send(request, operation, signal);
          return { response, body: bodyValue(response, redactor) };
        }),
      );

    // A document in a file is the definition's author's own; one from an address may say something else tomorrow.
    const described = document !== undefined && /^https?:/i.test(definition.openapi ?? "") ? document : undefined;
    const pin =
      described === undefined
        ? {}
        : await pinDescription(
            definition.name,
            { key: documentKey(definition), description: documentDescription(described, operations) },
            options,
          );

    return {
      ...pin,
      name: definition.name,
      description: definition.description ?? (document?.info?.title || `The HTTP API ${definition.name}.`),
      tools: toolDefinitions(operations, definition),
      async call(tool, args, { signal }): Promise<Value> {
        const where = `${definition.name}.${tool}`;
        const direct = table.get(tool);
        const listed = direct === undefined && tool.endsWith("_all") ? table.get(tool.slice(0, -4)) : undefined;
        const listing = listed !== undefined && pagination(definition, listed.name) !== undefined ? listed : undefined;
        const operation = direct ?? listing;
        if (operation === undefined) throw unknownTool(where, definition.name, tool);
        const timeoutMs = operation.timeoutMs ?? definition.timeoutMs;
        // Each request of a walk has the bound of a call; the walk as a whole, only its caller's.
        const bounded = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
          const clock = AbortSignal.timeout(timeoutMs);
          try {
            return await work(AbortSignal.any([signal, clock, closing.signal]));
          } catch (error) {
            if (signal.aborted) throw cancelled(signal, where);
            if (closing.signal.aborted) throw closedError(definition.name);
            if (clock.aborted) throw timedOut(where, timeoutMs);
            throw ArtificerError.is(error) ? redactError(error, redactor) : unexpected(error, where);
          }
        };
        if (direct !== undefined) return bounded((bound) => callOperation(direct, args, bound));
        return callListing(operation, args, bounded);
      },
      async close() {
        closing.abort();
        await agent.destroy();
      },
    };
  } catch (error) {
    await agent.destroy();
    throw ArtificerError.is(error) ? redactError(error, redactor) : error;
  }
}

async function readOperations(
  definition: HttpDefinition,
  directory: string,
  agent: ReturnType<typeof createGuardedAgent>,
): Promise<{ document: OpenApiDocument | undefined; operations: HttpOperation[] }> {
  const operations: HttpOperation[] = [];
  let document: OpenApiDocument | undefined;
  if (definition.openapi !== undefined) {
    const { maxRedirects, timeoutMs } = definition;
    const { data, url } = await loadDocument(definition.openapi, { agent, directory, maxRedirects, timeoutMs });
    document = checkOpenApiDocument(data, definition.openapi);
    operations.push(...openApiOperations(document, definition, url));
  }
  const baseUrl = definition.baseUrl ?? operations[0]?.baseUrl;
  for (const endpoint of definition.endpoints) {
    if (baseUrl === undefined) break;
    operations.push(endpointOperation(endpoint, definition, baseUrl));
  }
  const kept = operations.filter(({ name }) => passesFilter(name, definition.tools));
  const names = new Set<string>();
  for (const { name } of kept) {
    if (names.has(name)) {
      throw new ArtificerError("tool/duplicate", `${definition.name}: there are two tools named ${name}.`, {
        details: { toolkit: definition.name, tool: name },
      });
    }
    names.add(name);
  }
  for (const name of Object.keys(definition.paginate)) {
    if (names.has(name)) continue;
    throw new ArtificerError(
      "tool/definition-invalid",
      `${definition.name}: paginate names ${name}, which is no tool of it.`,
      {
        details: { field: `paginate.${name}`, tools: [...names].slice(0, 50) },
      },
    );
  }
  return { document, operations: kept };
}

function originOf(definition: HttpDefinition, operations: readonly HttpOperation[]): string | undefined {
  const base = definition.baseUrl ?? operations[0]?.baseUrl;
  return base === undefined ? undefined : new URL(base).origin;
}

function toolDefinitions(operations: readonly HttpOperation[], definition: HttpDefinition): ToolDefinition[] {
  return operations.flatMap((operation) => {
    const tool = operationTool(operation, definition);
    return pagination(definition, operation.name) === undefined ? [tool] : [tool, listingTool(tool)];
  });
}

function pagination({ paginate }: HttpDefinition, name: string): Pagination | undefined {
  return Object.hasOwn(paginate, name) ? paginate[name] : undefined;
}

function closedError(name: string): ArtificerError {
  return new ArtificerError("tool/unavailable", `The toolkit ${name} is closed.`);
}

function unknownTool(where: string, toolkit: string, tool: string): ArtificerError {
  return new ArtificerError("tool/unknown-tool", `There is no tool ${where}.`, { details: { toolkit, tool } });
}

function timedOut(where: string, timeoutMs: number): ArtificerError {
  return new ArtificerError("tool/timed-out", `${where} took longer than ${timeoutMs} ms.`, {
    details: { timeoutMs },
    hint: "Raise timeoutMs in the definition if it needs longer.",
  });
}

function unexpected(error: unknown, where: string): ArtificerError {
  // Nothing is known about what its text holds: it stays on the host.
  return new ArtificerError(
    "tool/failed",
    `${where} failed: ${error instanceof Error ? error.name : "no reason given"}.`,
  );
}
