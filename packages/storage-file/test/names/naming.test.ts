import { expect, test } from "vitest";
import { nameChunks } from "../../src/names/name-chunks.js";
import type { Naming } from "../../src/names/naming.js";
import { plainNaming } from "../../src/names/plain-naming.js";
import { stateNaming } from "../../src/names/state-naming.js";

const segments = [
  "parse_log.py",
  "Grüße 日本.txt",
  'a:b*c?d"e<f>g|h%i',
  "CON",
  "con.txt",
  "aux.tar.gz",
  "CONSOLE",
  "nul",
  "x.",
  "x...",
  "%41",
  "a%2Fb",
  "~",
  ":".repeat(200),
  "é".repeat(100),
  "😀".repeat(50),
  `${"a".repeat(199)}.`,
];

const namings: Array<[string, Naming]> = [
  ["plain", plainNaming],
  ["state", stateNaming],
];

for (const [name, naming] of namings) {
  test(`${name} names can be read back`, () => {
    for (const segment of segments) {
      for (const folder of [false, true]) {
        for (const names of naming.write(segment, folder)) expect(naming.read(names, folder)).toBe(segment);
      }
    }
  });

  test(`${name} names are what every file system takes`, () => {
    for (const segment of segments) {
      for (const folder of [false, true]) {
        for (const one of naming.write(segment, folder).flat()) {
          expect(Buffer.byteLength(one)).toBeLessThanOrEqual(255);
          expect(one).not.toMatch(/[:*?"<>|/\\]|[. ]$/);
          expect(one).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
        }
      }
    }
  });
}

test("state names of two segments differ in more than case", () => {
  const all = [...segments, "CASE", "case", "Case", "É", "é"].flatMap((segment) =>
    [false, true].map((folder) => stateNaming.write(segment, folder)[0]?.join("/").toLowerCase()),
  );
  expect(new Set(all).size).toBe(all.length);
});

test("ordinary names stay as people write them", () => {
  for (const segment of [
    "parse_log.py",
    "May 2024 (final).json",
    "Grüße.txt",
    "日本語",
    "a+b=c;d,e&f'g`h",
    "CONSOLE",
    "x.y.z",
  ]) {
    expect(plainNaming.write(segment, false)[0]).toEqual([segment]);
    expect(plainNaming.write(segment, true)[0]).toEqual([segment]);
  }
});

test("names that this naming would not write are not read", () => {
  for (const name of ["%41", "%zz", "100%.txt", "a%3a", "%E9", "CON", "x.", "a:b"]) {
    expect(plainNaming.read([name], false)).toBe(name === "%41" ? "A" : undefined);
  }
  for (const name of ["A.json", "a.txt", "a", "%61.json", "é.json"])
    expect(stateNaming.read([name], false)).toBeUndefined();
});

test("a long name is never split inside a character or a percent triple", () => {
  for (const text of ["é".repeat(300), "%3A".repeat(200), `${"a".repeat(239)}%3A`, "😀".repeat(100)]) {
    const chunks = nameChunks(text);
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.map((chunk, index) => (index < chunks.length - 1 ? chunk.slice(0, -1) : chunk)).join("")).toBe(text);
    for (const chunk of chunks.slice(0, -1)) expect(chunk).toMatch(/^(?:[^%]|%[0-9A-F]{2})+%$/u);
  }
});
