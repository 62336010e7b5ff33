import type { TypeNotation } from "./schema-type.js";

/** How Python writes types: those of `typing`, with `X | None`. */
export const pythonNotation: TypeNotation = {
  any: "Any",
  object: "dict[str, Any]",
  simple: { string: "str", integer: "int", number: "float", boolean: "bool", null: "None", bytes: "bytes" },
  literal(value) {
    if (typeof value === "string" || typeof value === "boolean" || value === null) return pythonLiteral(value);
    return Number.isSafeInteger(value) ? String(value) : undefined;
  },
  literals: (values) => `Literal[${[...new Set(values)].join(", ")}]`,
  array: (item) => `list[${item}]`,
  tuple: (items) => (items.length === 0 ? "list[Any]" : `tuple[${items.join(", ")}]`),
  map: (value) => `dict[str, ${value}]`,
  // Python has no anonymous record type; the members are told in the parameter's description.
  record: () => "dict[str, Any]",
  // None goes last, as people write it.
  union: (types) => [...new Set(types)].sort((a, b) => Number(a === "None") - Number(b === "None")).join(" | "),
};

const maxLiteralChars = 200;

/** A JSON value as Python writes it; `...` when it is too long for a signature. */
export function pythonLiteral(value: unknown): string {
  const text = write(value, 0);
  return text.length > maxLiteralChars ? "..." : text;
}

function write(value: unknown, depth: number): string {
  if (depth > 8) return "...";
  if (value === null || value === undefined) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "string") return pythonString(value);
  if (typeof value === "number") return pythonNumber(value);
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(", ")}]`;
  if (typeof value === "object") {
    const entries = Object.entries(value).map(([key, item]) => `${pythonString(key)}: ${write(item, depth + 1)}`);
    return `{${entries.join(", ")}}`;
  }
  return "...";
}

function pythonNumber(value: number): string {
  if (Number.isNaN(value)) return 'float("nan")';
  if (!Number.isFinite(value)) return value > 0 ? 'float("inf")' : 'float("-inf")';
  return String(value);
}

/** JSON's escapes are Python's too, apart from the two line separators, which JSON leaves as they are and Python accepts. */
function pythonString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\x7f");
}
