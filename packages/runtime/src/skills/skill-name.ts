import { ArtificerError } from "@artificer/protocol";

const pattern = /^[a-z][a-z0-9_]{0,63}$/;

/** True for a name that a skill can have: it is a function's name in both languages and a file's name everywhere. */
export function isSkillName(name: string): boolean {
  return typeof name === "string" && pattern.test(name);
}

/** @throws ArtificerError `skill/invalid-name` with a name that would do. */
export function requireSkillName(name: string): void {
  if (isSkillName(name)) return;
  const shown = JSON.stringify(name) ?? String(name);
  const path = typeof name === "string" && /[/\\]|\.\./.test(name);
  throw new ArtificerError(
    "skill/invalid-name",
    path
      ? `${shown} is a path; a skill has a plain name.`
      : `${shown} can't be a skill's name: use 1 to 64 lower-case letters, digits and underscores, beginning with a letter.`,
    { details: { name: typeof name === "string" ? name : shown }, hint: `For instance: ${suggestion(name)}.` },
  );
}

function suggestion(name: string): string {
  const last = String(name).split(/[/\\]/).filter(Boolean).at(-1) ?? "";
  const plain = last
    .replace(/\.(py|ts)$/, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "")
    .slice(0, 64);
  return plain === "" ? "collect_licences" : plain;
}
