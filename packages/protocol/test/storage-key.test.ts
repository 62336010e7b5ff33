import { expect, test } from "vitest";
import { compareKeys, storagePrefix } from "../src/storage-key.js";

test("keys compare as their UTF-8 bytes do", () => {
  const keys = ["", "a", "a/b", "a-b", "a0", "B", "é", "\ud7ff", "\ue000", "\uffee", "😀", "😁", "a😀", "a\uffee"];
  for (const a of keys) {
    for (const b of keys) {
      expect(Math.sign(compareKeys(a, b)), `${a} and ${b}`).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }
  }
});

test("a prefix is refused when no key can begin so", () => {
  for (const prefix of ["", "a", "a/", "a/b", "a/.", " "]) expect(storagePrefix(prefix)).toBe(prefix);
  expect(storagePrefix("U\u0308")).toBe("\u00dc");
  for (const prefix of ["/", "../", "a//", "a/../b", ".x/", "a\\b/"]) {
    expect(() => storagePrefix(prefix)).toThrow(expect.objectContaining({ code: "storage/invalid-key" }));
  }
});
