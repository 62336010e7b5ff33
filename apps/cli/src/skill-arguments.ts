import { ArtificerError, type JsonValue } from "@artificer/protocol";

/**
 * The arguments of `skills invoke`: `--args` as a JSON object, then each `--arg name=value` over it.
 * A value is JSON when it parses as such, else text; `--arg 'zip="007"'` keeps digits as text.
 *
 * @throws ArtificerError `usage/invalid-argument`
 */
export function skillArguments(pairs: readonly string[], json: string | undefined): Record<string, JsonValue> {
  const named = new Map<string, JsonValue>(Object.entries(json === undefined ? {} : parseObject(json)));
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at < 1) {
      throw new ArtificerError("usage/invalid-argument", `--arg ${JSON.stringify(pair)} is no name=value.`, {
        hint: "Write --arg path=README.md, or --arg 'limits={\"max\": 3}' for JSON.",
      });
    }
    named.set(pair.slice(0, at), parseLoosely(pair.slice(at + 1)));
  }
  return Object.fromEntries(named);
}

function parseLoosely(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function parseObject(text: string): Record<string, JsonValue> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw notAnObject(`is no JSON (${error instanceof Error ? error.message : error})`);
  }
  if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed))
    return parsed as Record<string, JsonValue>;
  throw notAnObject(`is ${parsed === null ? "null" : Array.isArray(parsed) ? "an array" : `a ${typeof parsed}`}`);
}

function notAnObject(what: string): ArtificerError {
  return new ArtificerError("usage/invalid-argument", `--args must be a JSON object; what was given ${what}.`, {
    hint: `Write --args '{"path": "README.md"}'.`,
  });
}
