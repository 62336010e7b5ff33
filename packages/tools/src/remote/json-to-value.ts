import { ArtificerError, type Value } from "@artificer/protocol";

const maxDepth = 200;

/**
 * JSON that came from elsewhere, as a codec value. An object with a `$type` of its own becomes a Map, which the codec writes
 * as pairs: so no server can send what would pass for a reference or an array of the host.
 *
 * @throws ArtificerError `value/too-deep`.
 */
export function jsonToValue(json: unknown, depth = 0): Value {
  if (json === null || typeof json !== "object") return json as Value;
  if (depth > maxDepth) {
    throw new ArtificerError("value/too-deep", `The result is nested more than ${maxDepth} deep.`, {
      details: { maxDepth },
    });
  }
  if (Array.isArray(json)) return json.map((item) => jsonToValue(item, depth + 1));
  const entries = Object.entries(json).map(([key, item]): [string, Value] => [key, jsonToValue(item, depth + 1)]);
  return Object.hasOwn(json, "$type") ? new Map<Value, Value>(entries) : Object.fromEntries(entries);
}
