import type { JsonSchema } from "@artificer/protocol";

/** A position in a schema document: the subschema, its document (for `$ref`), and the references followed to get here. */
export interface SchemaCursor {
  schema: JsonSchema;
  root: JsonSchema;
  followed: ReadonlySet<string>;
  /** Steps left, shared by all cursors of one reading: a document whose references fan out can't cost more than this. */
  budget: { steps: number };
}

const maxSteps = 5000;

/** A cursor at the top of a document. */
export function schemaCursor(root: JsonSchema): SchemaCursor {
  return { schema: root, root, followed: new Set(), budget: { steps: maxSteps } };
}

/** A cursor at a subschema; undefined when there is none that says anything (booleans, malformed). */
export function stepInto(cursor: SchemaCursor, child: unknown): SchemaCursor | undefined {
  return isSchema(child) ? { ...cursor, schema: child } : undefined;
}

/**
 * Follows `$ref` within the document (JSON pointers only) until a subschema without one. Undefined when the reference leads
 * nowhere, out of the document, or back to where it was already followed (recursive types stop there), or the budget is spent.
 */
export function resolveSchema(cursor: SchemaCursor): SchemaCursor | undefined {
  let { schema, followed } = cursor;
  if (--cursor.budget.steps < 0) return undefined;
  while (typeof schema.$ref === "string") {
    const reference = schema.$ref;
    if (followed.has(reference)) return undefined;
    followed = new Set([...followed, reference]);
    const target = pointedAt(cursor.root, reference);
    if (target === undefined) return undefined;
    const { $ref: _, ...siblings } = schema;
    schema = Object.keys(siblings).length === 0 ? target : { ...target, ...siblings };
  }
  return { ...cursor, schema, followed };
}

function pointedAt(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (reference !== "#" && !reference.startsWith("#/")) return undefined;
  let current: unknown = root;
  for (const step of reference.split("/").slice(1)) {
    const key = decodeStep(step);
    // Own members only: "#/constructor" leads nowhere.
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return isSchema(current) ? current : undefined;
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return step;
  }
}

/** True for a schema written as an object. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The subschemas of `anyOf`, `oneOf`, `allOf`, resolved; those that lead nowhere are left out. */
export function branches(cursor: SchemaCursor, keyword: "anyOf" | "oneOf" | "allOf"): SchemaCursor[] {
  const list = cursor.schema[keyword];
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) => {
    const inner = stepInto(cursor, item);
    const resolved = inner && resolveSchema(inner);
    return resolved ? [resolved] : [];
  });
}
