import { encodeValue, type Language, type Value } from "@artificer/protocol";

/**
 * The cell that runs a skill with arguments given by the host. None of them is ever code: what is JSON travels as JSON text, all
 * else is laid by, and the cell takes it.
 *
 * @throws ArtificerError `value/not-encodable` and its kin, with the path
 */
export function invocationCode(
  language: Language,
  name: string,
  args: Record<string, Value>,
  { stash }: { stash(value: Value): string },
): string {
  const skill = JSON.stringify(name);
  const { json, parts } = encodeValue(args);
  const text = JSON.stringify(json);
  // JSON's string escapes mean the same in Python and TypeScript.
  if (parts.length > 0 || text.includes('"$":')) {
    const key = JSON.stringify(stash(args));
    return language === "python"
      ? `skills.invoke(${skill}, **take(${key}))`
      : `await skills.invoke(${skill}, await take(${key}))`;
  }
  const literal = JSON.stringify(text);
  if (language === "python") return `skills.invoke(${skill}, **__import__("json").loads(${literal}))`;
  return `await skills.invoke(${skill}, JSON.parse(${literal}))`;
}
