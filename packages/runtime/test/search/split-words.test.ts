import { expect, test } from "vitest";
import { splitWords } from "../../src/search/split-words.js";
import { termsOf } from "../../src/search/terms-of.js";

test.each([
  ["parse_csvFile", ["parse", "csv", "file"]],
  ["HTTPServer2Start", ["http", "server2", "start"]],
  ["kebab-case, and.dots/paths", ["kebab", "case", "and", "dots", "paths"]],
  ["Größe naïve 日本語", ["größe", "naïve", "日本語"]],
  ["ﬁle Ａ１", ["file", "a1"]],
  ["", []],
  ["?!", []],
])("The words of %j are %j.", (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

test("Terms leave stop words out and reduce the others to their stems.", () => {
  expect(termsOf("Can you summarise the licences of the packages?")).toEqual(termsOf("summarising licence package"));
  expect(termsOf("the of and")).toEqual([]);
  expect(termsOf(`word ${"x".repeat(100)}`)).toEqual(["word"]);
});

test("A word with capitals inside is matched as a whole and by its parts, however it is asked for.", () => {
  expect(termsOf("the GitHub API")).toEqual(["git", "hub", "api", "github"]);
  expect(termsOf("github")).toEqual(["github"]);
  expect(termsOf("parse_csvFile")).toEqual(["pars", "csv", "file", "csvfile"]);
});
