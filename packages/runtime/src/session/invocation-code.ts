import { ArtificerError, type Language, type Value } from "@artificer/protocol";

/** The cell that runs a skill with arguments given by the host. The arguments travel as JSON text: none of them is ever code. */
export function invocationCode(language: Language, name: string, args: Record<string, Value>): string {
  const json = JSON.stringify(args, (key, value: unknown) => {
    if (isJson(value)) return value;
    throw new ArtificerError(
      "usage/invalid-argument",
      `The argument ${key} can't be passed to a skill from the host: it is no JSON value.`,
      {
        details: { key },
        hint: "Save it as an artifact and pass the artifact's name.",
      },
    );
  });
  // JSON's string escapes mean the same in Python and TypeScript.
  if (language === "python")
    return `skills.invoke(${JSON.stringify(name)}, **__import__("json").loads(${JSON.stringify(json)}))`;
  return `await skills.invoke(${JSON.stringify(name)}, JSON.parse(${JSON.stringify(json)}))`;
}

function isJson(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}
