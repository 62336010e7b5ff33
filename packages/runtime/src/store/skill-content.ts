import type { Language } from "@artificer/protocol";
import { type FrontMatter, readFrontMatter, renderFrontMatter } from "../skills/front-matter.js";
import { hashOf } from "../skills/hash-of.js";
import { splitFrontMatter } from "../skills/split-front-matter.js";

/**
 * Hash of what a skill's file says, whatever number its version has: the same skill may be version 3 here and 5 there.
 * A file whose front matter can't be read counts as it stands.
 */
export function skillContentHash(text: string): string {
  const read = tryRead(text);
  if (read === undefined) return hashOf(text);
  const { version: _, ...matter } = read.matter;
  return hashOf(`${JSON.stringify(sorted(matter))}\n${read.body}`);
}

/** The same file with another number; unchanged where it names none. */
export function withVersion(text: string, version: number, language: Language): string {
  const read = tryRead(text);
  if (read?.matter.version === undefined || read.matter.version === version) return text;
  return `${renderFrontMatter({ ...read.matter, version }, language)}\n${read.body}`;
}

function tryRead(text: string): { matter: FrontMatter; body: string } | undefined {
  try {
    const split = splitFrontMatter(text);
    const matter = readFrontMatter(split);
    return Object.keys(matter).length === 0 ? undefined : { matter, body: split.body };
  } catch {
    return undefined;
  }
}

function sorted(matter: FrontMatter): unknown {
  return Object.entries(matter).sort(([left], [right]) => (left < right ? -1 : 1));
}
