import { ArtificerError } from "@artificer/protocol";

const maxChars = 100;

/** Members that the languages look for on any object: `shared.then` must not be mistaken for a promise's. */
const taken = new Set(["then", "catch", "finally", "constructor", "prototype", "toJSON", "toString", "valueOf"]);

/** The name, when `shared.<name>` can be written in every language. @throws ArtificerError `shared/invalid-name` */
export function sharedName(name: unknown): string {
  const reason = problem(name);
  if (reason === undefined) return name as string;
  throw new ArtificerError("shared/invalid-name", `A value can't be shared as ${shown(name)}: ${reason}.`, {
    details: { name: shown(name) },
    hint: "Use a name like a variable's: letters, digits and underscores, beginning with a letter, such as rows_2024.",
  });
}

function problem(name: unknown): string | undefined {
  if (typeof name !== "string") return "its name is no text";
  if (name === "") return "its name is empty";
  if (name.length > maxChars) return `its name is longer than ${maxChars} characters`;
  if (!/^[A-Za-z]\w*$/.test(name)) return "its name could not be written as shared.name";
  return taken.has(name) ? "every object of TypeScript may be asked for that member" : undefined;
}

function shown(name: unknown): string {
  return typeof name === "string" ? JSON.stringify(name.slice(0, maxChars)) : `a ${typeof name}`;
}
