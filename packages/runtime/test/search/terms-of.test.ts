import { stemmer } from "stemmer";
import { expect, test } from "vitest";
import { splitWords } from "../../src/search/split-words.js";
import { stopWords } from "../../src/search/stop-words.js";
import { termsOf } from "../../src/search/terms-of.js";

test("A word with capitals inside counts as a whole beside its parts, by the same seams at which it is taken apart.", () => {
  expect(termsOf("GitHub")).toEqual(["git", "hub", "github"].map(stemmer));
  expect(termsOf("parseHTTPServer v2Alpha").slice(-2)).toEqual(["parsehttpserver", "v2alpha"].map(stemmer));
  const units = [..."aBzZ09_- éÉßẞΣσǅЖжﬁⅣ²ⁿ٣İı中文é\u0301\u{10400}\u{10428}HTTPa"];
  let state = 5;
  const next = (limit: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
  for (let round = 0; round < 3_000; round++) {
    const text = Array.from({ length: 1 + next(14) }, () => units[next(units.length)]!).join("");
    const whole = (text.normalize("NFKC").match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])
      .filter((word) => splitWords(word).length > 1)
      .map((word) => word.toLowerCase());
    const expected = [...splitWords(text), ...whole]
      .filter((word) => !stopWords.has(word))
      .map((word) => stemmer(word));
    expect(termsOf(text), JSON.stringify(text)).toEqual(expected);
  }
});
