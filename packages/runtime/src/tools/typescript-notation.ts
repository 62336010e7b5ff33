import type { TypeNotation } from "./schema-type.js";

/** How TypeScript writes types. */
export const typescriptNotation: TypeNotation = {
  any: "unknown",
  object: "Record<string, unknown>",
  simple: {
    string: "string",
    integer: "number",
    number: "number",
    boolean: "boolean",
    null: "null",
    bytes: "Uint8Array",
  },
  literal(value) {
    if (value === null || typeof value === "boolean" || typeof value === "number") return String(value);
    return typeof value === "string" ? typescriptString(value) : undefined;
  },
  literals: (values) => [...new Set(values)].join(" | "),
  array: (item) => (/^[\w.]+$/.test(item) ? `${item}[]` : `Array<${item}>`),
  tuple: (items) => `[${items.join(", ")}]`,
  map: (value) => `Record<string, ${value}>`,
  record: (members) =>
    `{ ${members.map(({ name, type, required }) => `${memberName(name)}${required ? "" : "?"}: ${type}`).join("; ")} }`,
  union: (types) => [...new Set(types)].join(" | "),
};

/** A member's name, quoted where it is no identifier. */
export function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : typescriptString(name);
}

/** A string literal; the line separators are escaped, since they end a line comment or an old parser's string. */
export function typescriptString(text: string): string {
  return JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
