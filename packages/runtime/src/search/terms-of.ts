import { stemmer } from "stemmer";
import { splitWords } from "./split-words.js";
import { stopWords } from "./stop-words.js";

/** Longest term kept, in characters: longer ones are no words (a hash, a base64 string) and would only take space. */
const maxTermChars = 64;

/**
 * What a text is matched by: its words without stop words, reduced to their stems, in order and with repetitions. A word with
 * capitals inside counts as a whole beside its parts: GitHub is asked for as github.
 */
export function termsOf(text: string): string[] {
  return [...splitWords(text), ...mixedWords(text)]
    .filter((word) => word.length <= maxTermChars && !stopWords.has(word))
    .map((word) => stemmer(word));
}

/** Where `splitWords` takes a word apart. */
const seam = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}/u;

function mixedWords(text: string): string[] {
  // Most texts have none.
  const normal = text.normalize("NFKC");
  if (!seam.test(normal)) return [];
  const words = normal.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.filter((word) => seam.test(word)).map((word) => word.toLowerCase());
}
