import { branches, isSchema, resolveSchema, type SchemaCursor, stepInto } from "./resolve-schema.js";

/** How a language writes types down. */
export interface TypeNotation {
  any: string;
  /** Stands for objects of which nothing is known. */
  object: string;
  /** The simple types of JSON Schema, and `bytes` for a string of format `binary`. */
  simple: Readonly<Record<"string" | "integer" | "number" | "boolean" | "null" | "bytes", string>>;
  /** One literal value; undefined when the language can't. */
  literal(value: unknown): string | undefined;
  /** Several literals at once. */
  literals(values: string[]): string;
  array(item: string): string;
  tuple(items: string[]): string;
  map(value: string): string;
  record(members: RecordMember[]): string;
  union(types: string[]): string;
}

/** A member of an object type. */
export interface RecordMember {
  name: string;
  type: string;
  required: boolean;
}

const maxDepth = 6;
const maxLiterals = 40;
const maxMembers = 60;

/** Writes the type that a schema describes; whatever can't be told (recursion, foreign references, too deep) is `any`. */
export function schemaType(at: SchemaCursor, notation: TypeNotation, depth = 0): string {
  const cursor = resolveSchema(at);
  if (cursor === undefined || depth > maxDepth) return notation.any;
  const { schema } = cursor;
  const type = plainType(cursor, notation, depth);
  return schema.nullable === true && type !== notation.any ? notation.union([type, notation.simple.null]) : type;
}

function plainType(cursor: SchemaCursor, notation: TypeNotation, depth: number): string {
  const { schema } = cursor;
  const inner = (child: unknown) => {
    const next = stepInto(cursor, child);
    return next === undefined ? notation.any : schemaType(next, notation, depth + 1);
  };
  if (Object.hasOwn(schema, "const")) {
    const literal = notation.literal(schema.const);
    if (literal !== undefined) return notation.literals([literal]);
  }
  if (Array.isArray(schema.enum)) {
    const literals = schema.enum.map((value) => notation.literal(value));
    if (literals.length > 0 && literals.length <= maxLiterals && literals.every((literal) => literal !== undefined)) {
      return notation.literals(literals as string[]);
    }
  }
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const alternatives = schema[keyword];
    if (Array.isArray(alternatives) && alternatives.length > 0) return unionOf(alternatives.map(inner), notation);
  }
  if (Array.isArray(schema.type)) {
    return unionOf(
      schema.type.map((type) => plainType({ ...cursor, schema: { ...schema, type } }, notation, depth)),
      notation,
    );
  }
  if (Array.isArray(schema.allOf) && schema.type === undefined && !isSchema(schema.properties)) {
    const parts = branches(cursor, "allOf").map((part) => schemaType(part, notation, depth + 1));
    return parts.find((part) => part !== notation.any) ?? notation.any;
  }
  return simpleType(cursor, notation, inner);
}

function simpleType(cursor: SchemaCursor, notation: TypeNotation, inner: (child: unknown) => string): string {
  const { schema } = cursor;
  switch (schema.type) {
    case "string":
      return schema.format === "binary" ? notation.simple.bytes : notation.simple.string;
    case "integer":
    case "number":
    case "boolean":
    case "null":
      return notation.simple[schema.type];
    case "array":
      return arrayType(schema, notation, inner);
    case "object":
      return objectType(schema, notation, inner);
    default:
      if (schema.format === "binary") return notation.simple.bytes;
      if (isSchema(schema.properties)) return objectType(schema, notation, inner);
      return isSchema(schema.items) ? arrayType(schema, notation, inner) : notation.any;
  }
}

type Inner = (child: unknown) => string;

function arrayType(schema: SchemaCursor["schema"], notation: TypeNotation, inner: Inner): string {
  const fixed = Array.isArray(schema.prefixItems) ? schema.prefixItems : schema.items;
  if (!Array.isArray(fixed)) return notation.array(inner(schema.items));
  const closed = schema.items === false || schema.additionalItems === false;
  const exact = closed && schema.minItems === fixed.length;
  const items = fixed.map(inner);
  return exact ? notation.tuple(items) : notation.array(closed ? unionOf(items, notation) : notation.any);
}

function objectType(schema: SchemaCursor["schema"], notation: TypeNotation, inner: Inner): string {
  const { properties, additionalProperties: more } = schema;
  const names = isSchema(properties) ? Object.keys(properties) : [];
  if (names.length === 0) return isSchema(more) ? notation.map(inner(more)) : notation.object;
  if (names.length > maxMembers) return notation.object;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return notation.record(
    names.map((name) => ({
      name,
      type: inner((properties as Record<string, unknown>)[name]),
      required: required.has(name),
    })),
  );
}

function unionOf(types: string[], notation: TypeNotation): string {
  const distinct = [...new Set(types)];
  if (distinct.length === 0 || distinct.includes(notation.any)) return notation.any;
  return distinct.length === 1 ? distinct[0]! : notation.union(distinct);
}
