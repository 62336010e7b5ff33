import type { JsonSchema } from "@artificer/protocol";
import { createArgumentNames } from "./argument-names.js";
import type { HttpDefinition, HttpEndpoint } from "./http-definition.js";
import { defaultStyle, type HttpBody, type HttpOperation, type HttpParameter } from "./http-operation.js";

/** An endpoint listed by hand, as an operation. */
export function endpointOperation(endpoint: HttpEndpoint, definition: HttpDefinition, baseUrl: string): HttpOperation {
  const { name, method, path, description, timeoutMs, result } = endpoint;
  const argumentName = createArgumentNames();
  const inPath = new Set(pathNames(path));
  const parameters = Object.entries(endpoint.parameters).map(([argument, given]): HttpParameter => {
    const {
      as = argument,
      required,
      style,
      explode,
      allowReserved = false,
      schema,
      description: text,
      ...keywords
    } = given;
    const location = given.in ?? (inPath.has(as) ? "path" : "query");
    const { in: _, ...own } = keywords;
    return {
      argument: argumentName(argument, location),
      name: as,
      in: location,
      required: required ?? location === "path",
      style: style ?? defaultStyle(location),
      explode: explode ?? (style ?? defaultStyle(location)) === "form",
      allowReserved,
      schema: { ...own, ...schema, ...(text === undefined ? {} : { description: text }) },
    };
  });
  const known = new Set(parameters.filter((parameter) => parameter.in === "path").map((parameter) => parameter.name));
  for (const missing of inPath) {
    if (!known.has(missing)) parameters.push(plainPathParameter(missing, argumentName));
  }
  return {
    name,
    method,
    path,
    description,
    parameters,
    body: endpointBody(endpoint.body, argumentName),
    baseUrl,
    authenticated: true,
    tags: definition.tags ?? [],
    timeoutMs,
    resultSchema: () => result,
    complete: (schema) => schema,
  };
}

/** A path parameter that the path names and nobody describes. */
export function plainPathParameter(name: string, argumentName: ReturnType<typeof createArgumentNames>): HttpParameter {
  const argument = argumentName(name, "path");
  const schema: JsonSchema = { type: "string" };
  return { argument, name, in: "path", required: true, style: "simple", explode: false, allowReserved: false, schema };
}

/** The names between braces in a path. */
export function pathNames(path: string): string[] {
  return Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name]) => name!);
}

function endpointBody(
  body: HttpEndpoint["body"],
  argumentName: ReturnType<typeof createArgumentNames>,
): HttpBody | undefined {
  if (body === undefined) return undefined;
  const { contentType, required, description, schema = {} } = body;
  const described = description === undefined ? schema : { ...schema, description };
  return { argument: argumentName("body", "request"), contentType, required, schema: described, encoding: {} };
}
