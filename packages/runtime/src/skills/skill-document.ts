import type { SearchDocument } from "../search/search-index.js";
import { splitWords } from "../search/split-words.js";
import { vectorKey } from "../search/vector-segment.js";
import type { SkillEntry } from "./skill-entry.js";

const documents = new WeakMap<SkillEntry, SearchDocument>();

/** The document of an entry, made once: an entry never changes, and there may be thousands of them in every search. */
export function skillDocument(entry: SkillEntry): SearchDocument {
  const known = documents.get(entry) ?? makeDocument(entry);
  documents.set(entry, known);
  return known;
}

/** The text that stands for what a skill is for. */
export function skillMeaning({ name, description }: Pick<SkillEntry, "name" | "description">): string {
  return `${splitWords(name).join(" ")}: ${description}`;
}

/** A skill as search sees it: what it is called and does is its meaning; tags, parameters and documentation are words beside. */
function makeDocument({ name, description, tags, parameters, doc }: SkillEntry): SearchDocument {
  const text = skillMeaning({ name, description });
  const words = [...tags, ...parameters.map((parameter) => parameter.name), doc].join(" ");
  return { id: name, text, words, hash: vectorKey(`${text}\n${words}`) };
}
