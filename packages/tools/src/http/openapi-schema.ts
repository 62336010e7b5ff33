import { ArtificerError, type JsonSchema } from "@artificer/protocol";
import { lookUp, type OpenApiDocument } from "./openapi-document.js";

/** Turns a document's schemas into JSON Schemas. References stay references, into `$defs`: so recursion costs nothing. */
export interface SchemaReader {
  /** The schema with its references rewritten; `complete` adds what they point to. */
  read(schema: unknown): JsonSchema;
  /** The schema with a `$defs` of all that it needs, directly or not. Definitions are shared among schemas, not copied. */
  complete(schema: JsonSchema): JsonSchema;
}

const maxDepth = 200;
const ofSchemas = new Set(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"]);
const ofList = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const ofSchema = new Set([
  ...["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"],
  ...["unevaluatedItems", "unevaluatedProperties", "additionalItems"],
]);
/** Said about schemas by OpenAPI and not by JSON Schema, or what would give the schema another identity. */
const dropped = new Set([
  ...["xml", "externalDocs", "discriminator", "example", "nullable", "$id", "id", "$schema", "$anchor"],
  ...["$dynamicRef", "$dynamicAnchor", "$vocabulary", "$comment"],
]);

interface Definition {
  name: string;
  schema: JsonSchema;
  needs: Set<string>;
}

/**
 * @param direction a property that is read only is not required of a request, nor one that is write only of a response
 */
export function createSchemaReader(root: OpenApiDocument, direction: "request" | "response"): SchemaReader {
  const definitions = new Map<string, Definition>();
  const names = new Set<string>();
  const old = root.openapi.startsWith("3.0");
  const unneeded = direction === "request" ? "readOnly" : "writeOnly";

  const define = (reference: string): Definition => {
    const known = definitions.get(reference);
    if (known !== undefined) return known;
    const definition: Definition = { name: freeName(reference, names), schema: {}, needs: new Set() };
    // Known before it is read, so that a schema that refers to itself finds itself.
    definitions.set(reference, definition);
    definition.schema = convert(lookUp(root, reference), definition.needs, 0);
    return definition;
  };

  const convert = (given: unknown, needs: Set<string>, depth: number): JsonSchema => {
    if (given === false) return { not: {} };
    if (typeof given !== "object" || given === null || Array.isArray(given)) return {};
    if (depth > maxDepth) {
      throw new ArtificerError("tool/definition-invalid", `A schema is nested more than ${maxDepth} deep.`);
    }
    const schema = given as JsonSchema;
    const result: JsonSchema = {};
    if (typeof schema.$ref === "string") {
      needs.add(schema.$ref);
      result.$ref = `#/$defs/${define(schema.$ref).name}`;
      if (old) return result;
    }
    for (const [key, value] of Object.entries(schema)) {
      if (key === "$ref" || key === "__proto__" || dropped.has(key) || key.startsWith("x-")) continue;
      result[key] = convertKeyword(key, value, (inner) => convert(inner, needs, depth + 1));
    }
    requireOnlyNeeded(result, schema, unneeded);
    if (old) modernize(result, schema);
    // Bytes come and go as bytes, which are no JSON string.
    if (result.format === "binary") delete result.type;
    return result;
  };

  return {
    read: (schema) => convert(schema, new Set(), 0),
    complete(schema) {
      const needed = new Map<string, Definition>();
      const queue = referencesIn(schema, definitions);
      for (let definition = queue.pop(); definition !== undefined; definition = queue.pop()) {
        if (needed.has(definition.name)) continue;
        needed.set(definition.name, definition);
        for (const reference of definition.needs) queue.push(define(reference));
      }
      if (needed.size === 0) return schema;
      const own = typeof schema.$defs === "object" ? (schema.$defs as JsonSchema) : {};
      const $defs = Object.fromEntries([...needed.values()].map(({ name, schema: held }) => [name, held]));
      return { ...schema, $defs: { ...own, ...$defs } };
    },
  };
}

function convertKeyword(key: string, value: unknown, convert: (schema: unknown) => JsonSchema): unknown {
  if (ofSchema.has(key)) {
    if (typeof value === "boolean") return value;
    return Array.isArray(value) ? value.map(convert) : convert(value);
  }
  if (ofList.has(key) && Array.isArray(value)) return value.map(convert);
  if (ofSchemas.has(key) && typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, convert(inner)]));
  }
  return value;
}

function requireOnlyNeeded(result: JsonSchema, schema: JsonSchema, unneeded: "readOnly" | "writeOnly"): void {
  if (!Array.isArray(result.required)) {
    // Draft 4's `required: true` on a property means nothing here.
    delete result.required;
    return;
  }
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema | undefined>;
  const required = result.required.filter((name) => properties[String(name)]?.[unneeded] !== true);
  if (required.length === 0) delete result.required;
  else result.required = required;
}

/** What OpenAPI 3.0 wrote in another way than JSON Schema does today. */
function modernize(result: JsonSchema, schema: JsonSchema): void {
  for (const [exclusive, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof result[exclusive] !== "boolean") continue;
    if (result[exclusive] && result[bound] !== undefined) {
      result[exclusive] = result[bound];
      delete result[bound];
    } else delete result[exclusive];
  }
  if (schema.nullable !== true) return;
  if (typeof result.type === "string") result.type = [result.type, "null"];
  if (Array.isArray(result.enum) && !result.enum.includes(null)) result.enum = [...result.enum, null];
  for (const key of ["anyOf", "oneOf"] as const) {
    if (Array.isArray(result[key]) && result.type === undefined) result[key] = [...result[key], { type: "null" }];
  }
}

function freeName(reference: string, names: Set<string>): string {
  const base = decodeURIComponent(reference.split("/").pop()!.replaceAll("%", "%25")).replace(/[^A-Za-z0-9_.-]/g, "_");
  let name = base;
  for (let count = 2; names.has(name); count++) name = `${base}_${count}`;
  names.add(name);
  return name;
}

function referencesIn(schema: unknown, definitions: ReadonlyMap<string, Definition>): Definition[] {
  const byName = new Map(Array.from(definitions.values(), (definition) => [definition.name, definition]));
  const found: Definition[] = [];
  const walk = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const definition =
        key === "$ref" && typeof inner === "string" ? byName.get(inner.slice("#/$defs/".length)) : undefined;
      if (definition !== undefined) found.push(definition);
      else walk(inner);
    }
  };
  walk(schema);
  return found;
}
