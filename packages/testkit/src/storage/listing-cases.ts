import assert from "node:assert/strict";
import { compareKeys, type ListOptions, type Page, type Storage } from "@artificer/protocol";
import { utf8 } from "./blob-bytes.js";
import { refusal } from "./refusal.js";
import type { StorageCase } from "./storage-harness.js";

const keys = ["b", "a", "a/b", "a/c", "a-b", "a0", "ab/c", "B", "é", "\uffee", "😀", "a/b/c", "z/y/x"];

type List = (prefix: string, options?: ListOptions) => Promise<Page<{ key: string }>>;

/** Both stores list alike; each case runs against the two. */
async function eachStore(
  { records, blobs }: Storage,
  run: (store: {
    put(key: string): Promise<unknown>;
    drop(key: string): Promise<unknown>;
    list: List;
  }) => Promise<void>,
): Promise<void> {
  await run({
    put: (key) => records.put(key, { key }),
    drop: (key) => records.delete(key),
    list: (prefix, options) => records.list(prefix, options),
  });
  await run({
    put: (key) => blobs.write(key, utf8(key)),
    drop: (key) => blobs.delete(key),
    list: (prefix, options) => blobs.list(prefix, options),
  });
}

async function allKeys(list: List, prefix: string, limit: number): Promise<{ keys: string[]; pages: number }> {
  const found: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page: Page<{ key: string }> = await list(prefix, { limit, ...(cursor === undefined ? {} : { cursor }) });
    assert.ok(page.items.length <= limit, "a page is longer than its limit");
    found.push(...page.items.map(({ key }) => key));
    cursor = page.cursor;
    pages++;
    assert.ok(pages < 1000, "the listing never ends");
  } while (cursor !== undefined);
  return { keys: found, pages };
}

export const listingCases: readonly StorageCase[] = [
  {
    id: "storage.list.ordered",
    title: "a listing is in byte order of the keys, beyond the basic plane too",
    async run({ storage }) {
      await eachStore(storage, async ({ put, list }) => {
        for (const key of keys) await put(key);
        const bytewise = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        assert.deepEqual([...keys].sort(compareKeys), bytewise);
        assert.deepEqual((await allKeys(list, "", 1000)).keys, bytewise);
      });
    },
  },
  {
    id: "storage.list.scoped",
    title: "a listing holds exactly the keys that begin with its prefix",
    async run({ storage }) {
      await eachStore(storage, async ({ put, list }) => {
        for (const key of keys) await put(key);
        const prefixes = [
          "a",
          "a/",
          "a/b",
          "a/b/",
          "a/b/c",
          "ab",
          "z/y/x",
          "é",
          "none",
          "none/at/all",
          "a/b/c/d",
          "%",
          "_",
        ];
        for (const prefix of prefixes) {
          const expected = keys.filter((key) => key.startsWith(prefix)).sort(compareKeys);
          assert.deepEqual((await allKeys(list, prefix, 1000)).keys, expected, `prefix ${prefix}`);
        }
      });
    },
  },
  {
    id: "storage.list.edges",
    title:
      "prefixes at the edges of Unicode hold what begins with them, and those that no key begins with hold nothing",
    async run({ storage }) {
      const edges = [
        "\ud7ff",
        "\ud7ff!",
        "\ue000",
        "a\ud7ff",
        "a\ue000",
        "a\u{10fffd}z",
        "b",
        "\u{10fffd}",
        "\u{10fffd}\u{10fffd}",
      ];
      await eachStore(storage, async ({ put, list }) => {
        for (const key of edges) await put(key);
        for (const prefix of [
          "\ud7ff",
          "a",
          "a\ud7ff",
          "a\u{10fffd}",
          "\u{10fffd}",
          "\u{10fffd}\u{10fffd}",
          "\u{10ffff}",
        ]) {
          const expected = edges.filter((key) => key.startsWith(prefix)).sort(compareKeys);
          assert.deepEqual((await allKeys(list, prefix, 2)).keys, expected, `prefix ${JSON.stringify(prefix)}`);
        }
        for (const prefix of ["\u0000", "b\u0000", "b\ud800"]) {
          assert.deepEqual((await list(prefix)).items, [], `prefix ${JSON.stringify(prefix)}`);
        }
      });
    },
  },
  {
    id: "storage.list.paged",
    title: "pages of every size join to the whole, and the last has no cursor",
    async run({ storage }) {
      await eachStore(storage, async ({ put, list }) => {
        for (const key of keys) await put(key);
        const whole = [...keys].sort(compareKeys);
        for (const limit of [1, 2, 3, 6, 13, 14]) {
          const listed = await allKeys(list, "", limit);
          assert.deepEqual(listed.keys, whole, `limit ${limit}`);
          assert.equal(listed.pages, Math.ceil(whole.length / limit), `limit ${limit} gave another number of pages`);
        }
        assert.deepEqual((await allKeys(list, "a/", 2)).keys, ["a/b", "a/b/c", "a/c"]);
      });
    },
  },
  {
    id: "storage.list.changed-between-pages",
    title: "what was there all along is listed once, though others write and delete between two pages",
    async run({ storage }) {
      await eachStore(storage, async ({ put, drop, list }) => {
        for (const key of ["a", "c", "e", "g"]) await put(key);
        const first = await list("", { limit: 2 });
        assert.deepEqual(
          first.items.map(({ key }) => key),
          ["a", "c"],
        );
        await put("aa");
        await put("b");
        await drop("c");
        await put("f");
        const second = await list("", { limit: 10, cursor: first.cursor });
        assert.deepEqual(
          second.items.map(({ key }) => key),
          ["e", "f", "g"],
        );
      });
    },
  },
  {
    id: "storage.list.default-limit",
    title: "a listing without a limit gives 1000 items and a cursor",
    timeoutMs: 120_000,
    async run({ storage: { records } }) {
      const count = 1003;
      for (let start = 0; start < count; start += 59) {
        const batch = Array.from({ length: Math.min(59, count - start) }, (_, index) => start + index);
        await Promise.all(batch.map((n) => records.put(`n/${String(n).padStart(5, "0")}`, { n })));
      }
      const first = await records.list("n/");
      assert.equal(first.items.length, 1000);
      const second = await records.list("n/", { cursor: first.cursor });
      assert.deepEqual(
        [...first.items, ...second.items].map(({ value }) => value.n),
        Array.from({ length: count }, (_, n) => n),
      );
      assert.equal(second.cursor, undefined);
    },
  },
  {
    id: "storage.list.bad-limit",
    title: "a limit that is no whole number from 1 is refused",
    async run({ storage }) {
      await eachStore(storage, async ({ list }) => {
        for (const limit of [0, -1, 1.5, Number.NaN]) await refusal("usage/invalid-argument", list("", { limit }));
      });
    },
  },
];
