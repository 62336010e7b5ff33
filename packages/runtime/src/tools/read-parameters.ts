import type { JsonSchema } from "@artificer/protocol";
import { branches, isSchema, resolveSchema, type SchemaCursor, schemaCursor } from "./resolve-schema.js";

/** One argument of a tool, as its schema describes it. */
export interface SchemaParameter {
  name: string;
  /** Where its schema stands. */
  cursor: SchemaCursor;
  required: boolean;
  description: string;
  hasDefault: boolean;
  default: unknown;
}

/** The arguments of a tool. */
export interface SchemaParameters {
  /** In the order of the schema. */
  parameters: SchemaParameter[];
  /** True when arguments beyond `parameters` are accepted, because the schema says so in so many words. */
  open: boolean;
}

const maxBranchDepth = 8;

/** Reads the arguments that an input schema describes, also where they stand behind `$ref`, `allOf`, `anyOf` or `oneOf`. */
export function readParameters(inputSchema: JsonSchema): SchemaParameters {
  const found = collect(schemaCursor(inputSchema), 0);
  const parameters = Array.from(found.properties, ([name, cursor]) => readParameter(name, cursor, found.required));
  return { parameters, open: found.open };
}

interface Found {
  properties: Map<string, SchemaCursor>;
  required: Set<string>;
  open: boolean;
}

function collect(at: SchemaCursor, depth: number): Found {
  const found: Found = { properties: new Map(), required: new Set(), open: false };
  const cursor = resolveSchema(at);
  if (cursor === undefined || depth > maxBranchDepth) return found;
  const { schema } = cursor;
  if (isSchema(schema.properties)) {
    for (const name of Object.keys(schema.properties)) {
      const property = schema.properties[name];
      found.properties.set(name, { ...cursor, schema: isSchema(property) ? property : {} });
    }
  }
  for (const name of requiredNames(schema)) found.required.add(name);
  found.open = saysOpen(schema);
  for (const inner of branches(cursor, "allOf")) {
    const part = collect(inner, depth + 1);
    merge(found, part);
    for (const name of part.required) found.required.add(name);
  }
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const parts = branches(cursor, keyword).map((inner) => collect(inner, depth + 1));
    for (const part of parts) merge(found, part);
    // What every alternative requires is required.
    const [first, ...others] = parts;
    for (const name of first?.required ?? []) {
      if (others.every((part) => part.required.has(name))) found.required.add(name);
    }
  }
  return found;
}

function merge(found: Found, part: Found): void {
  for (const [name, cursor] of part.properties) {
    if (!found.properties.has(name)) found.properties.set(name, cursor);
  }
  found.open ||= part.open;
}

function saysOpen(schema: JsonSchema): boolean {
  const { additionalProperties: more, patternProperties: patterns } = schema;
  // Names that fit no pattern are then the validator's business.
  return more === true || isSchema(more) || isSchema(patterns);
}

function requiredNames(schema: JsonSchema): string[] {
  return Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === "string") : [];
}

function readParameter(name: string, at: SchemaCursor, required: Set<string>): SchemaParameter {
  const cursor = resolveSchema(at) ?? { ...at, schema: {} };
  const description = at.schema.description ?? cursor.schema.description;
  const hasDefault = Object.hasOwn(cursor.schema, "default") && cursor.schema.default !== undefined;
  return {
    name,
    cursor: at,
    required: required.has(name),
    description: typeof description === "string" ? description : "",
    hasDefault,
    default: hasDefault ? cursor.schema.default : undefined,
  };
}
