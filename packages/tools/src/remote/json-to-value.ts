import { ArtificerError, type Value } from "@artificer/protocol";

const maxDepth = 200;

/**
 * JSON that came from elsewhere, as a codec value. Whatever its members are called, it is data: the codec takes for more
 * only what it has made itself.
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
  return Object.fromEntries(
    Object.entries(json).map(([key, item]): [string, Value] => [key, jsonToValue(item, depth + 1)]),
  );
}
