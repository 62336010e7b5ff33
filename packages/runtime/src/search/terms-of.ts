import { stemmer } from "stemmer";
import { splitWords } from "./split-words.js";
import { stopWords } from "./stop-words.js";

/** Longest term kept, in characters: longer ones are no words (a hash, a base64 string) and would only take space. */
const maxTermChars = 64;

/** What a text is matched by: its words without stop words, reduced to their stems, in order and with repetitions. */
export function termsOf(text: string): string[] {
  return splitWords(text)
    .filter((word) => word.length <= maxTermChars && !stopWords.has(word))
    .map((word) => stemmer(word));
}
