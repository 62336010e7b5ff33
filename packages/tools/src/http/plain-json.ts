import { ArtificerError } from "@artificer/protocol";

/**
 * An argument as JSON can hold it: dates as ISO text, bytes as base64, sets as lists, maps as objects.
 *
 * @throws ArtificerError `tool/invalid-argument` for an integer that JSON can't hold exactly.
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
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Set || Array.isArray(value)) return Array.from(value as Iterable<unknown>, plainJson);
  const entries = value instanceof Map ? [...value.entries()] : Object.entries(value);
  return Object.fromEntries(
    entries.filter(([, item]) => item !== undefined).map(([key, item]) => [String(key), plainJson(item)]),
  );
}
