import { ArtificerError, isNumberArray, isReference, type NumberArray, viewOf } from "@artificer/protocol";

/**
 * An argument as JSON can hold it: dates as ISO text, bytes as base64, sets and arrays of numbers as lists, maps as objects.
 *
 * @throws ArtificerError `tool/invalid-argument` for a number that JSON can't hold, or not exactly, and for a reference.
 */
export function plainJson(value: unknown): unknown {
  if (typeof value === "bigint") {
    const number = Number(value);
    if (Number.isSafeInteger(number)) return number;
    throw new ArtificerError(
      "tool/invalid-argument",
      `The integer ${value} is too large to be sent as a JSON number.`,
      {
        hint: "Pass it as text if the API takes text.",
      },
    );
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new ArtificerError("tool/invalid-argument", `${value} can't be sent: JSON has no such number.`, {
      hint: "Leave it out, or pass what the API takes in its place.",
    });
  }
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Set || Array.isArray(value)) return Array.from(value as Iterable<unknown>, plainJson);
  if (isNumberArray(value)) return nestedLists(value);
  if (isReference(value)) {
    throw new ArtificerError("tool/invalid-argument", `A reference (to ${value.type}) can't be sent.`, {
      hint: "Pass the value that it stands for.",
    });
  }
  const entries = value instanceof Map ? [...value.entries()] : Object.entries(value);
  return Object.fromEntries(
    entries.filter(([, item]) => item !== undefined).map(([key, item]) => [String(key), plainJson(item)]),
  );
}

/** Row by row, as its shape says. */
function nestedLists({ dtype, shape, bytes }: NumberArray): unknown {
  let items = Array.from(viewOf(dtype, bytes) as unknown as Iterable<unknown>, plainJson);
  for (const size of shape.slice(1).reverse()) {
    items = Array.from({ length: size === 0 ? 0 : items.length / size }, (_, row) =>
      items.slice(row * size, (row + 1) * size),
    );
  }
  return shape.length === 0 ? items[0] : items;
}
