import { describe, expect, test } from "vitest";
import { openSearchIndex } from "../../src/search/open-search-index.js";
import type { SearchDocument } from "../../src/search/search-index.js";
import { createCountingStorage } from "../support/memory-storage.js";
import { createWordEmbedder } from "../support/word-embedder.js";

function document(id: string, text: string, words = ""): SearchDocument {
  return { id, text, words, hash: `${text}|${words}` };
}

const documents = [
  document("collect_terms", "Summarise the legal terms of every installed package"),
  document("crop", "Crop a photo to a square", "photo_path"),
  document("umbrella", "Tell whether it will rain tomorrow", "city"),
];

async function open(options: { embedder?: ReturnType<typeof createWordEmbedder> | null } = {}) {
  const storage = createCountingStorage();
  const embedder = options.embedder === undefined ? createWordEmbedder() : (options.embedder ?? undefined);
  const problems: string[] = [];
  const again = () =>
    openSearchIndex({ storage, namespace: "skills", embedder, onProblem: (message) => problems.push(message) });
  return { storage, embedder, problems, again, index: await again() };
}

const first = (hits: { id: string }[]) => hits[0]?.id;

describe("the search index", () => {
  test("[P9] finds by meaning what shares no word with the query", async () => {
    const { index } = await open();
    await index.sync(documents);
    expect(first(await index.search("which licence has each dependency"))).toBe("collect_terms");
    expect(first(await index.search("weather"))).toBe("umbrella");
  });

  test("[P9] finds by an exact word, taking identifiers apart and reducing words to their stems", async () => {
    const { index } = await open({ embedder: null });
    await index.sync(documents);
    expect(first(await index.search("photoPath"))).toBe("crop");
    expect(first(await index.search("cropping photos"))).toBe("crop");
    expect(first(await index.search("package summaries"))).toBe("collect_terms");
  });

  test("gives nothing for a query that no word of any document matches, when words are all there is", async () => {
    const { index } = await open({ embedder: null });
    await index.sync(documents);
    expect(await index.search("violoncello")).toEqual([]);
    expect(await index.search("of the and")).toEqual([]);
    expect(await index.search("")).toEqual([]);
  });

  test("ranks best first, and no more than the limit", async () => {
    const { index } = await open();
    await index.sync(documents);
    const hits = await index.search("rain photo", { limit: 2 });
    expect(hits).toHaveLength(2);
    expect(hits[0]!.score).toBeGreaterThanOrEqual(hits[1]!.score);
  });

  test("[P9] embeds only what is new or changed, and each text once", async () => {
    const { index, embedder } = await open();
    await index.sync(documents);
    expect(embedder!.embedded).toHaveLength(3);
    embedder!.embedded.length = 0;
    await index.sync([documents[0]!, document("crop", "Cut a photo to a circle"), documents[2]!]);
    expect(embedder!.embedded).toEqual(["Cut a photo to a circle"]);
    await index.sync([...documents.slice(1), document("twin", documents[0]!.text)]);
    expect(embedder!.embedded).toEqual(["Cut a photo to a circle"]);
  });

  test("[P9] embeds nothing again in a later session or another process", async () => {
    const { index, again, embedder, storage } = await open();
    await index.sync(documents);
    embedder!.embedded.length = 0;
    const later = await again();
    storage.reset();
    await later.sync(documents);
    expect(embedder!.embedded).toEqual([]);
    expect(storage.counts.blobReads).toBe(1);
    expect(first(await later.search("licence"))).toBe("collect_terms");
  });

  test("[P9] reads nothing from storage when nothing changed", async () => {
    const { index, storage } = await open();
    await index.sync(documents);
    storage.reset();
    await index.sync(documents);
    await index.search("licence");
    expect(storage.counts).toMatchObject({ blobReads: 0, blobLists: 0, recordReads: 0, recordLists: 0, blobWrites: 0 });
  });

  test("forgets what is no longer there", async () => {
    const { index } = await open();
    await index.sync(documents);
    await index.sync(documents.slice(1));
    const ids = (await index.search("legal terms of packages")).map(({ id }) => id);
    expect(ids).not.toContain("collect_terms");
    await index.sync(documents);
    expect(first(await index.search("legal terms of packages"))).toBe("collect_terms");
  });

  test("never compares vectors of different models", async () => {
    const { index, storage } = await open();
    await index.sync(documents);
    const other = createWordEmbedder({ model: "words-2", dimensions: 32 });
    const later = await openSearchIndex({ storage, namespace: "skills", embedder: other });
    await later.sync(documents);
    expect(other.embedded).toHaveLength(3);
    expect(first(await later.search("licence"))).toBe("collect_terms");
  });

  test("keeps namespaces apart", async () => {
    const { index, storage, embedder } = await open();
    await index.sync(documents);
    await index.learn("crop", "licence");
    const tools = await openSearchIndex({ storage, namespace: "tools", embedder });
    await tools.sync(documents);
    expect(first(await tools.search("licence"))).toBe("collect_terms");
  });
});

describe("learning from use", () => {
  test("[P9] ranks a document higher for queries like those that led to it", async () => {
    const { index } = await open();
    await index.sync(documents);
    expect(first(await index.search("make my avatar"))).not.toBe("crop");
    await index.learn("crop", "make an avatar of me");
    expect(first(await index.search("make my avatar"))).toBe("crop");
  });

  test("[P9] remembers it in later sessions, embedding nothing again", async () => {
    const { index, again, embedder } = await open();
    await index.sync(documents);
    await index.learn("crop", "make an avatar of me");
    embedder!.embedded.length = 0;
    const later = await again();
    await later.sync(documents);
    expect(embedder!.embedded).toEqual([]);
    expect(first(await later.search("avatar of me"))).toBe("crop");
  });

  test("learns by words alone too", async () => {
    const { index } = await open({ embedder: null });
    await index.sync(documents);
    await index.learn("crop", "make an avatar");
    expect(first(await index.search("avatar"))).toBe("crop");
  });

  test("leaves queries about other things where they were", async () => {
    const { index } = await open();
    await index.sync(documents);
    for (const query of ["make an avatar", "avatar please", "a new avatar"]) await index.learn("crop", query);
    expect(first(await index.search("will it rain"))).toBe("umbrella");
    expect(first(await index.search("legal terms"))).toBe("collect_terms");
  });

  test("loses nothing when two processes learn at once", async () => {
    const { index, again } = await open();
    const other = await again();
    await Promise.all([
      ...["one fish", "two fish", "red fish"].map((query) => index.learn("crop", query)),
      ...["blue bird", "old bird", "new bird"].map((query) => other.learn("crop", query)),
    ]);
    const later = await again();
    await later.sync(documents);
    expect(first(await later.search("fish"))).toBe("crop");
    expect(first(await later.search("bird"))).toBe("crop");
  });

  test("keeps a bounded number of queries a document, the most used ones", async () => {
    const { index, storage } = await open({ embedder: null });
    for (let time = 0; time < 3; time++) await index.learn("crop", "avatar");
    for (let at = 0; at < 50; at++) await index.learn("crop", `filler number ${at}`);
    const { items } = await storage.records.list("search/skills/learned/");
    const queries = items[0]!.value.queries as { text: string; uses: number }[];
    expect(queries).toHaveLength(32);
    expect(queries).toContainEqual({ text: "avatar", uses: 3 });
  });

  test("takes any id, also one that is no key", async () => {
    const { index, again } = await open({ embedder: null });
    const odd = document("../tools/π.x", "nothing to see");
    await index.sync([odd]);
    await index.learn(odd.id, "avatar");
    const later = await again();
    await later.sync([odd]);
    expect(first(await later.search("avatar"))).toBe(odd.id);
  });
});

describe("when something fails", () => {
  test("goes by words and says so once, when there is no embedder", async () => {
    const { index, problems } = await open({ embedder: null });
    await index.sync(documents);
    await index.search("photo");
    await index.search("rain");
    expect(problems).toHaveLength(1);
    expect(index.notices).toEqual(problems);
    expect(problems[0]).toMatch(/words only/);
  });

  test("goes by words, says so once, and tries again, when the embedder fails", async () => {
    const embedder = createWordEmbedder();
    embedder.failing = true;
    const { index, problems } = await open({ embedder });
    await index.sync(documents);
    expect(first(await index.search("rain"))).toBe("umbrella");
    expect(problems).toEqual([expect.stringMatching(/words only.*on holiday/)]);
    embedder.failing = false;
    await index.sync(documents);
    expect(first(await index.search("weather"))).toBe("umbrella");
  });

  test("goes by words when the embedder's vectors have other dimensions than it says", async () => {
    const embedder = createWordEmbedder();
    const lying = { ...embedder, dimensions: 65 };
    const { index, problems } = await open({ embedder: lying });
    await index.sync(documents);
    expect(first(await index.search("rain"))).toBe("umbrella");
    expect(problems).toEqual([expect.stringMatching(/64 dimensions/)]);
  });

  test.each([
    ["cut short", (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 7)],
    ["changed in one bit", (bytes: Uint8Array) => bytes.map((byte, at) => (at === 200 ? byte ^ 1 : byte))],
    ["empty", () => new Uint8Array()],
    [
      "of something else",
      () => new TextEncoder().encode("no vectors here, only a sentence that is long enough to look like some"),
    ],
  ])("tells of a stored file of vectors that is %s, and builds it again", async (_, damage) => {
    const { index, again, storage, embedder, problems } = await open();
    await index.sync(documents);
    const { items } = await storage.blobs.list("search/");
    const key = items[0]!.key;
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await storage.blobs.read(key))!.bytes) chunks.push(chunk);
    await storage.blobs.write(key, damage(new Uint8Array(Buffer.concat(chunks))));
    embedder!.embedded.length = 0;
    const later = await again();
    await later.sync(documents);
    expect(problems).toEqual([expect.stringMatching(/damaged/)]);
    expect(embedder!.embedded).toHaveLength(3);
    embedder!.embedded.length = 0;
    await (await again()).sync(documents);
    expect(embedder!.embedded).toEqual([]);
  });

  test("throws the reason of an aborted signal, not a notice", async () => {
    const { index, problems } = await open();
    const reason = new Error("no longer wanted");
    await expect(index.sync(documents, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await expect(index.search("rain", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(problems).toEqual([]);
  });
});

describe("the stored vectors", () => {
  test("stay in few files however many times something is added", async () => {
    const { index, storage, again, embedder } = await open();
    const many = Array.from({ length: 60 }, (_, at) =>
      document(`doc_${at}`, `subject${String.fromCharCode(97 + (at % 26))} ${at}x`),
    );
    for (let count = 1; count <= many.length; count++) await index.sync(many.slice(0, count));
    const { items } = await storage.blobs.list("search/", { limit: 1000 });
    expect(items.length).toBeLessThanOrEqual(17);
    embedder!.embedded.length = 0;
    await (await again()).sync(many);
    expect(embedder!.embedded).toEqual([]);
  });

  test("are shared by two processes that add at the same time", async () => {
    const { index, again, embedder } = await open();
    const other = await again();
    const many = Array.from({ length: 40 }, (_, at) => document(`doc_${at}`, `thing number ${at}`));
    for (let at = 0; at < many.length; at += 2)
      await Promise.all([index.sync(many.slice(0, at + 1)), other.sync(many.slice(at, at + 2))]);
    embedder!.embedded.length = 0;
    await (await again()).sync(many);
    expect(embedder!.embedded).toEqual([]);
  });
});
