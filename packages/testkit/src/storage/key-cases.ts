import assert from "node:assert/strict";
import { compareKeys } from "@artificer/protocol";
import { blobText, utf8 } from "./blob-bytes.js";
import { refusal } from "./refusal.js";
import type { StorageCase } from "./storage-harness.js";

/** Valid keys that some backend would rather not have. */
export const awkwardKeys: readonly string[] = [
  'a:b*c?d"e<f>g|h',
  "100%",
  "%41",
  "%",
  "a%2Fb",
  "con",
  "NUL.txt",
  "lpt1/aux",
  "ends with dots...",
  "inner  spaces",
  "Case",
  "case",
  "CASE/x",
  "case/x",
  "it's; DROP TABLE $1 {x} [y] `z`",
  "~tilde~",
  "-rf",
  "under_score%",
  "Grüße/übung",
  "日本語/ファイル",
  "emoji😀/😀",
  "\uffee",
  "e".repeat(200),
  "é".repeat(100),
  ":".repeat(200),
  `${":".repeat(200)}/${":".repeat(200)}`,
  `${"😀".repeat(48)}.json`,
  "x.json",
  "x.json/y",
  "__proto__",
  "constructor/prototype",
];

const badKeys: readonly string[] = [
  "",
  "/",
  "/etc/passwd",
  "a//b",
  "a/",
  ".",
  "..",
  "../x",
  "a/../../x",
  "a/./b",
  ".state/x",
  "a/.hidden",
  "a\\..\\b",
  "a\u0000b",
  "a\nb",
  " a",
  "a ",
  "a/ b",
  "\ud800",
  "s".repeat(201),
  "s/".repeat(300).slice(0, -1),
];

export const keyCases: readonly StorageCase[] = [
  {
    id: "storage.keys.prefixes",
    title: "a key and keys below it stand side by side, whichever came first",
    async run({ storage: { records, blobs } }) {
      const keys = ["a", "a/b", "a/b/c", "d/e/f", "d/e", "d"];
      for (const key of keys) {
        await records.put(key, { key });
        await blobs.write(key, utf8(key), { metadata: { key } });
      }
      for (const key of keys) {
        assert.deepEqual((await records.get(key))?.value, { key });
        assert.equal(await blobText(blobs, key), key);
        assert.deepEqual((await blobs.stat(key))?.metadata, { key });
      }
      assert.equal(await blobs.delete("a"), true);
      assert.equal(await blobs.delete("d/e"), true);
      await blobs.write("a/z", utf8("z"));
      await blobs.write("a", utf8("again"));
      assert.equal(await blobText(blobs, "a"), "again");
      assert.equal(await blobText(blobs, "a/b/c"), "a/b/c");
      assert.equal(await blobText(blobs, "d/e/f"), "d/e/f");
      assert.deepEqual(
        (await blobs.list("")).items.map(({ key }) => key),
        ["a", "a/b", "a/b/c", "a/z", "d", "d/e/f"],
      );
      assert.deepEqual(
        (await records.list("")).items.map(({ key }) => key),
        ["a", "a/b", "a/b/c", "d", "d/e", "d/e/f"],
      );
    },
  },
  {
    id: "storage.keys.awkward",
    title:
      "keys with awkward characters, long names and names that differ only in case stay apart and come back as they were",
    timeoutMs: 120_000,
    async run({ storage: { records, blobs } }) {
      for (const key of awkwardKeys) {
        await records.put(key, { key });
        await blobs.write(key, utf8(key), { metadata: { key } });
      }
      const sorted = [...awkwardKeys].sort(compareKeys);
      assert.deepEqual(
        (await records.list("")).items.map(({ key, value }) => [key, value.key]),
        sorted.map((key) => [key, key]),
      );
      assert.deepEqual(
        (await blobs.list("")).items.map(({ key, metadata }) => [key, metadata.key]),
        sorted.map((key) => [key, key]),
      );
      for (const key of awkwardKeys) {
        assert.equal((await records.get(key))?.value.key, key);
        assert.equal(await blobText(blobs, key), key);
        assert.equal(await records.delete(key), true);
        assert.equal(await blobs.delete(key), true);
      }
      assert.deepEqual((await records.list("")).items, []);
      assert.deepEqual((await blobs.list("")).items, []);
    },
  },
  {
    id: "storage.keys.normal-form",
    title: "a key is the same key in either Unicode normal form",
    async run({ storage: { records, blobs } }) {
      await records.put("U\u0308bung", { n: 1 });
      await blobs.write("U\u0308bung", utf8("1"));
      assert.equal((await records.get("\u00dcbung"))?.key, "\u00dcbung");
      assert.equal((await blobs.stat("\u00dcbung"))?.key, "\u00dcbung");
      assert.equal((await records.list("U\u0308b")).items.length, 1);
    },
  },
  {
    id: "storage.keys.refused",
    title: "keys that could leave their place, or that no backend should have, are refused by every call",
    async run({ storage: { records, blobs } }) {
      for (const key of badKeys) {
        await refusal("storage/invalid-key", records.get(key));
        await refusal("storage/invalid-key", records.put(key, {}));
        await refusal("storage/invalid-key", records.delete(key));
        await refusal("storage/invalid-key", blobs.stat(key));
        await refusal("storage/invalid-key", blobs.read(key));
        await refusal("storage/invalid-key", blobs.write(key, utf8("x")));
        await refusal("storage/invalid-key", blobs.delete(key));
      }
      for (const prefix of ["../", "/", "a/../b", ".state/"]) {
        await refusal("storage/invalid-key", records.list(prefix));
        await refusal("storage/invalid-key", blobs.list(prefix));
      }
      assert.deepEqual((await records.list("")).items, []);
      assert.deepEqual((await blobs.list("")).items, []);
    },
  },
];
