import { z } from "zod";
import { effectClass } from "../remote/effect-class.js";
import { nameFilter } from "../remote/name-filter.js";
import { secretValue } from "../remote/secret-value.js";

const secretName = z.string().min(1);
const positive = z.number().int().positive();
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const locations = ["path", "query", "header", "cookie"] as const;
const styles = ["simple", "label", "matrix", "form", "spaceDelimited", "pipeDelimited", "deepObject"] as const;
const jsonSchema = z.record(z.string(), z.unknown());

/** How requests prove who they are. Secrets are named; the host resolves them at each call. */
export const httpAuth = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("bearer"), secret: secretName }),
  z.strictObject({ type: z.literal("basic"), username: secretValue, secret: secretName }),
  z.strictObject({
    type: z.literal("api-key"),
    in: z.enum(["header", "query", "cookie"]).default("header"),
    name: z.string().min(1),
    /** Put before the secret, as in `Token `. */
    prefix: z.string().default(""),
    secret: secretName,
  }),
  z.strictObject({
    type: z.literal("oauth2-client-credentials"),
    tokenUrl: z.url({ protocol: /^https?$/ }),
    clientId: secretValue,
    secret: secretName,
    scopes: z.array(z.string()).default([]),
    audience: z.string().optional(),
    /** How the client proves itself to the token's issuer. */
    send: z.enum(["basic", "body"]).default("basic"),
  }),
]);
export type HttpAuth = z.output<typeof httpAuth>;

const endpointParameter = z.strictObject({
  /** Path when the path names it, else query. */
  in: z.enum(locations).optional(),
  /** The name on the wire, when it is another. */
  as: z.string().min(1).optional(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  style: z.enum(styles).optional(),
  explode: z.boolean().optional(),
  allowReserved: z.boolean().optional(),
  /** A whole JSON Schema, or the few keywords below. */
  schema: jsonSchema.optional(),
  type: z.enum(["string", "integer", "number", "boolean", "array", "object"]).optional(),
  items: jsonSchema.optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  pattern: z.string().optional(),
  format: z.string().optional(),
});

const bodyKinds = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
  binary: "application/octet-stream",
  text: "text/plain",
} as const;

const endpointBody = z
  .strictObject({
    type: z.enum(["json", "form", "multipart", "binary", "text"]).default("json"),
    contentType: z.string().optional(),
    required: z.boolean().default(true),
    description: z.string().optional(),
    schema: jsonSchema.optional(),
  })
  .transform(({ type, contentType, ...rest }) => ({ ...rest, contentType: contentType ?? bodyKinds[type] }));

const endpoint = z.strictObject({
  name: z.string().min(1),
  method: z
    .preprocess((value) => (typeof value === "string" ? value.toUpperCase() : value), z.enum(methods))
    .default("GET"),
  path: z.string().startsWith("/"),
  description: z.string().default(""),
  parameters: z.record(z.string().min(1), endpointParameter).default({}),
  body: endpointBody.optional(),
  /** JSON Schema of the result, when known. */
  result: jsonSchema.optional(),
  timeoutMs: positive.optional(),
});
export type HttpEndpoint = z.output<typeof endpoint>;

/** How a list goes on: by the Link header, a URL or a cursor in the answer, a page number or an offset. */
const pagination = z.discriminatedUnion("by", [
  z.strictObject({ by: z.literal("link"), items: z.string().optional() }),
  z.strictObject({ by: z.literal("url"), at: z.string().min(1), items: z.string().optional() }),
  z.strictObject({
    by: z.literal("cursor"),
    at: z.string().min(1),
    parameter: z.string(),
    items: z.string().optional(),
  }),
  z.strictObject({
    by: z.literal("page"),
    parameter: z.string(),
    first: z.number().int().default(1),
    items: z.string().optional(),
  }),
  z.strictObject({ by: z.literal("offset"), parameter: z.string(), items: z.string().optional() }),
]);
export type Pagination = z.output<typeof pagination>;

/** One HTTP API: an OpenAPI document, endpoints listed by hand, or both. Unknown fields are refused. */
export const httpDefinition = z
  .strictObject({
    type: z.literal("http"),
    /** The toolkit's name in cells. */
    name: z.string().min(1),
    description: z.string().optional(),
    tags: z.array(z.string()).optional(),
    /** A file, relative to the definition's own, or an address. */
    openapi: z.string().min(1).optional(),
    /** Where the API is; by default the document's first server. */
    baseUrl: z.url({ protocol: /^https?$/ }).optional(),
    serverVariables: z.record(z.string(), z.string()).default({}),
    endpoints: z.array(endpoint).default([]),
    /** Sent with every request to the API itself. */
    headers: z.record(z.string(), secretValue).default({}),
    auth: z.union([httpAuth, z.array(httpAuth)]).optional(),
    tools: nameFilter.optional(),
    effects: z.record(z.string(), effectClass).default({}),
    /** Lists to walk: each named tool gets a sister `NAME_all`. */
    paginate: z.record(z.string(), pagination).default({}),
    /** `response` gives `{status, headers, body}` instead of the body alone. */
    returns: z.enum(["body", "response"]).default("body"),
    /** Bound on one call, retries included. */
    timeoutMs: positive.default(30_000),
    maxResponseBytes: positive.default(16 * 1024 * 1024),
    /** Tries after the first, for methods that may be repeated. */
    retries: z.number().int().min(0).max(10).default(2),
    /** The longest that a `Retry-After` is waited for; beyond it the error is given at once. */
    maxRetryAfterMs: z.number().int().min(0).default(20_000),
    maxRedirects: z.number().int().min(0).max(20).default(5),
    network: z
      .strictObject({
        /** Hosts (`name`, `name:port`, `*.name`) and address ranges that are no public ones and may be reached all the same. */
        allow: z.array(z.string().min(1)).default([]),
      })
      .default({ allow: [] }),
  })
  .superRefine((definition, context) => {
    if (definition.openapi === undefined && definition.endpoints.length === 0)
      context.addIssue({ code: "custom", path: ["endpoints"], message: "an API needs openapi or endpoints" });
    if (definition.openapi === undefined && definition.baseUrl === undefined)
      context.addIssue({ code: "custom", path: ["baseUrl"], message: "endpoints listed by hand need a baseUrl" });
  });

/** One HTTP API as checked, defaults filled in. */
export type HttpDefinition = z.output<typeof httpDefinition>;

/** One HTTP API as written. */
export type HttpDefinitionInput = z.input<typeof httpDefinition>;
