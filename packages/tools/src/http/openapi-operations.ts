import { ArtificerError, type JsonSchema, toArtificerError } from "@artificer/protocol";
import { passesFilter } from "../remote/name-filter.js";
import { createArgumentNames } from "./argument-names.js";
import { pathNames, plainPathParameter } from "./endpoint-operation.js";
import type { HttpDefinition } from "./http-definition.js";
import {
  defaultStyle,
  type HttpBody,
  type HttpOperation,
  type HttpParameter,
  type ParameterLocation,
  type ParameterStyle,
  type PropertyEncoding,
} from "./http-operation.js";
import { type OpenApiDocument, resolveReference } from "./openapi-document.js";
import { createSchemaReader, type SchemaReader } from "./openapi-schema.js";
import { serverUrl } from "./server-url.js";

type Fields = Record<string, unknown>;

const methods = ["get", "head", "post", "put", "patch", "delete", "options"] as const;
const locations = new Set(["path", "query", "header", "cookie"]);
/** The protocol's own business: OpenAPI says that parameters of these names are to be ignored. */
const ignoredHeaders = new Set(["accept", "content-type", "authorization"]);
const maxProblems = 5;

/** What reading an operation draws on. */
interface ReadingContext {
  root: OpenApiDocument;
  definition: HttpDefinition;
  documentUrl: string | undefined;
  requests: SchemaReader;
  responses: SchemaReader;
}

/**
 * Every operation of a document, in its order.
 *
 * @param documentUrl where the document is from, when from an address: servers may be relative to it
 * @throws ArtificerError `tool/definition-invalid` naming each operation that can't be read, and why.
 */
export function openApiOperations(
  root: OpenApiDocument,
  definition: HttpDefinition,
  documentUrl: string | undefined,
): HttpOperation[] {
  const requests = createSchemaReader(root, "request");
  const responses = createSchemaReader(root, "response");
  const context: ReadingContext = { root, definition, documentUrl, requests, responses };
  const operations: HttpOperation[] = [];
  const problems: string[] = [];
  const names = new Set<string>();
  for (const [path, item] of Object.entries(root.paths ?? {})) {
    if (!path.startsWith("/")) continue;
    for (const method of methods) {
      try {
        const pathItem = fields(resolveReference(root, item), "the path's item");
        if (pathItem[method] === undefined) continue;
        // Named before it is read: what the filter leaves out may be as broken as it likes.
        const name = freeName(operationName(path, method, pathItem[method]), names);
        if (passesFilter(name, definition.tools))
          operations.push(readOperation(path, method, { name, item: pathItem }, context));
      } catch (error) {
        problems.push(`${method.toUpperCase()} ${path}: ${toArtificerError(error).message}`);
      }
    }
  }
  if (problems.length > 0) {
    const told = problems.slice(0, maxProblems).join("; ");
    const more = problems.length > maxProblems ? `; and ${problems.length - maxProblems} more` : "";
    throw new ArtificerError("tool/definition-invalid", `${definition.openapi}: ${told}${more}`, {
      details: { source: definition.openapi, problems: problems.slice(0, 20) },
      hint: "Mend the document, or leave these out with tools.exclude in the definition.",
    });
  }
  return operations;
}

function operationName(path: string, method: string, operation: unknown): string {
  const given = typeof operation === "object" && operation !== null ? (operation as Fields).operationId : undefined;
  return typeof given === "string" && given !== "" ? given : plainName(method, path);
}

function readOperation(
  path: string,
  method: string,
  { name, item }: { name: string; item: Fields },
  context: ReadingContext,
): HttpOperation {
  const { root, definition } = context;
  const operation = fields(item[method], method);
  const argumentName = createArgumentNames();
  const inPath = pathNames(path);
  const parameters = merged(root, item.parameters, operation.parameters)
    .map((parameter) => readParameter(parameter, argumentName, context))
    .filter((parameter) => parameter !== undefined)
    .filter((parameter) => parameter.in !== "path" || inPath.includes(parameter.name));
  for (const step of inPath) {
    const known = parameters.some((parameter) => parameter.in === "path" && parameter.name === step);
    if (!known) parameters.push(plainPathParameter(step, argumentName));
  }
  const security = operation.security ?? root.security;
  const about = [operation.summary, operation.description].filter((text) => typeof text === "string" && text !== "");
  return {
    name,
    method: method.toUpperCase(),
    path,
    description: [...new Set(about)].join("\n\n"),
    parameters,
    body: readBody(operation.requestBody, method, argumentName, context),
    baseUrl: serverUrl(operation.servers ?? item.servers ?? root.servers, definition, context.documentUrl),
    authenticated: !(Array.isArray(security) && security.length === 0),
    tags: [...new Set([...(definition.tags ?? []), ...list(operation.tags).filter((tag) => typeof tag === "string")])],
    timeoutMs: undefined,
    resultSchema: () => resultSchema(operation.responses, context),
    complete: (schema) => context.requests.complete(schema),
  };
}

/** An operation's own parameter stands in for its path's of the same name and place. */
function merged(root: OpenApiDocument, shared: unknown, own: unknown): Fields[] {
  const byKey = new Map<string, Fields>();
  for (const given of [...list(shared), ...list(own)]) {
    const parameter = fields(resolveReference(root, given), "a parameter");
    byKey.set(`${String(parameter.in)} ${String(parameter.name)}`, parameter);
  }
  return [...byKey.values()];
}

function readParameter(
  parameter: Fields,
  argumentName: ReturnType<typeof createArgumentNames>,
  { requests, root }: ReadingContext,
): HttpParameter | undefined {
  const { name } = parameter;
  if (typeof name !== "string" || name === "" || !locations.has(String(parameter.in))) {
    throw new ArtificerError("tool/definition-invalid", "a parameter lacks its name or where it goes (in)");
  }
  const location = parameter.in as ParameterLocation;
  if (location === "header" && ignoredHeaders.has(name.toLowerCase())) return undefined;
  const content = typeof parameter.content === "object" ? Object.values(parameter.content ?? {})[0] : undefined;
  const given = content === undefined ? parameter.schema : fields(resolveReference(root, content), "content").schema;
  const schema = requests.read(given);
  const style = content === undefined ? ((parameter.style ?? defaultStyle(location)) as ParameterStyle) : "json";
  const described = typeof parameter.description === "string" && schema.description === undefined;
  return {
    argument: argumentName(name, location),
    name,
    in: location,
    required: location === "path" || parameter.required === true,
    style,
    explode: typeof parameter.explode === "boolean" ? parameter.explode : style === "form" || style === "deepObject",
    allowReserved: parameter.allowReserved === true,
    schema: described ? { ...schema, description: parameter.description } : schema,
  };
}

function readBody(
  given: unknown,
  method: string,
  argumentName: ReturnType<typeof createArgumentNames>,
  { root, requests }: ReadingContext,
): HttpBody | undefined {
  // A body of a GET or HEAD has no meaning in HTTP, and fetch refuses it.
  if (given === undefined || method === "get" || method === "head") return undefined;
  const body = fields(resolveReference(root, given), "requestBody");
  const chosen = preferredContent(body.content);
  if (chosen === undefined) return undefined;
  const [contentType, media] = chosen;
  const schema = requests.read(media.schema);
  return {
    argument: argumentName("body", "request"),
    contentType,
    required: body.required === true,
    schema:
      typeof body.description === "string" && !schema.description
        ? { ...schema, description: body.description }
        : schema,
    encoding: (media.encoding ?? {}) as Record<string, PropertyEncoding>,
  };
}

function resultSchema(given: unknown, { root, responses }: ReadingContext): JsonSchema | undefined {
  const answers = typeof given === "object" && given !== null ? (given as Fields) : {};
  const good = Object.keys(answers)
    .filter((status) => /^2(\d\d|XX)$/i.test(status))
    .sort();
  const key = good[0] ?? ("default" in answers ? "default" : undefined);
  if (key === undefined) return undefined;
  const response = fields(resolveReference(root, answers[key]), `responses.${key}`);
  const [contentType, media] = preferredContent(response.content) ?? [];
  if (contentType === undefined || !isJson(contentType) || media?.schema === undefined) return undefined;
  return responses.complete(responses.read(media.schema));
}

/** JSON where it is offered, then forms, then whatever comes first. */
function preferredContent(content: unknown): [string, Fields] | undefined {
  if (typeof content !== "object" || content === null) return undefined;
  const offered = Object.entries(content) as [string, Fields][];
  const rank = ([type]: [string, Fields]) =>
    isJson(type)
      ? 0
      : type.startsWith("application/x-www-form-urlencoded")
        ? 1
        : type.startsWith("multipart/form-data")
          ? 2
          : 3;
  return offered.sort((a, b) => rank(a) - rank(b))[0];
}

function isJson(type: string): boolean {
  return /^application\/([\w.-]+\+)?json\b/i.test(type);
}

/** `GET /users/{id}` is `get_users_by_id`. */
function plainName(method: string, path: string): string {
  const steps = path.split("/").filter((step) => step !== "");
  const words = steps.map((step) => step.replace(/\{([^{}]+)\}/g, "by_$1").replace(/[^A-Za-z0-9]+/g, "_"));
  return [method, ...words].join("_").replace(/_+$/, "");
}

function freeName(name: string, names: Set<string>): string {
  let free = name;
  for (let count = 2; names.has(free); count++) free = `${name}_${count}`;
  names.add(free);
  return free;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function fields(value: unknown, what: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new ArtificerError("tool/definition-invalid", `${what} should be an object`);
}
