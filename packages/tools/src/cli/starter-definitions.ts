import { readFile } from "node:fs/promises";

/** The definitions that a new project begins with: they come with this package as files. */
const names = ["curl", "git", "grep", "jq"] as const;

/** The starter definitions: file name to YAML text. */
export async function starterDefinitions(): Promise<Record<string, string>> {
  const texts = names.map(async (name) => {
    const file = `${name}.yaml`;
    return [file, await readFile(new URL(`../../definitions/${file}`, import.meta.url), "utf8")] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}
