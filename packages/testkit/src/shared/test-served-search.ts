import assert from "node:assert/strict";
import { ArtificerError, type Storage, type VectorStore } from "@artificer/protocol";
import { openSearchIndex, type SearchDocument, type SearchIndex } from "@artificer/runtime";
import { afterAll, beforeAll, beforeEach, describe, test } from "vitest";
import { createWordEmbedder } from "./word-embedder.js";

const timeout = 240_000;

/** A storage that ranks vectors, for a test file. */
export interface ServedSearchSubject {
  /** Makes it ready. `notRun` says why this machine can't, as when the server lacks what ranks. */
  start(): Promise<StartedSubject | { notRun: string; stop(): Promise<void> }>;
}

export interface OpenedSubject {
  storage: Storage;
  /** Opens the same once more. */
  reopen(): Promise<Storage>;
  /** Keeps the server from ranking, while all else goes on. Default: calls are refused before they reach it. */
  breakRanking?(): Promise<{ mend(): Promise<void> }>;
}

export interface StartedSubject {
  /** An empty storage that sees nothing of the others, and how the same one is opened again. */
  open(): Promise<OpenedSubject>;
  stop(): Promise<void>;
}

const subjects = "invoice weather photo calendar garden music bridge kitchen train forest".split(" ");
const acts = "count sort rename merge forecast crop archive translate measure publish".split(" ");
const places = "paris oslo lima cairo delhi quito hanoi turin malmo perth".split(" ");
const pick = (words: readonly string[], at: number) => words[at % words.length] as string;

const syllables = "ba ke mi so tu ra de ni po lu".split(" ");
/** A word that no other document has: of letters, as the embedder reads no digits. */
const named = (at: number) => `zo${[...String(at)].map((digit) => syllables[Number(digit)]).join("")}`;

/** Documents that differ in a few words each, more than are found without an index. */
function manyDocuments(count: number): SearchDocument[] {
  return Array.from({ length: count }, (_, at) => {
    const text = `${pick(acts, at)} the ${pick(subjects, Math.floor(at / 10))} of ${pick(places, Math.floor(at / 100))} ${named(at)}`;
    return { id: `doc_${at}`, text, words: "", hash: text };
  });
}

/** The storage, and what was asked of its vectors. */
function watched(storage: Storage): { storage: Storage; reads: number; sets: Set<string> } {
  const vectors = storage.vectors as VectorStore;
  const seen = { reads: 0, sets: new Set<string>() };
  const own: VectorStore = {
    ...vectors,
    put(set, ...rest) {
      seen.sets.add(set);
      return vectors.put(set, ...rest);
    },
    async get(set, ids, options) {
      const found = await vectors.get(set, ids, options);
      seen.reads += found.size;
      return found;
    },
  };
  return Object.assign(seen, { storage: { ...storage, vectors: own } });
}

/** The storage, whose ranking can be kept from being asked. */
function refusing(storage: Storage): Pick<OpenedSubject, "storage" | "breakRanking"> {
  let broken = false;
  const vectors = storage.vectors as VectorStore;
  const refuse = async () => {
    throw new ArtificerError("storage/unavailable", "The server is away.");
  };
  const own: VectorStore = {
    ...vectors,
    nearest: (...given) => (broken ? refuse() : vectors.nearest(...given)),
    missing: (...given) => (broken ? refuse() : vectors.missing(...given)),
  };
  return {
    storage: { ...storage, vectors: own },
    async breakRanking() {
      broken = true;
      return {
        async mend() {
          broken = false;
        },
      };
    },
  };
}

/** Registers with vitest that search finds by a storage's ranking what it finds by an exact scan. */
export function testServedSearch(name: string, subject: ServedSearchSubject): void {
  describe(`${name} ranks what search is asked for [P9]`, () => {
    let open: StartedSubject["open"];
    let notRun: string | undefined;
    let stop: () => Promise<void> = async () => {};
    const storages: Storage[] = [];

    beforeAll(async () => {
      const started = await subject.start();
      stop = started.stop;
      if ("open" in started) open = started.open;
      else notRun = started.notRun;
    }, timeout);
    beforeEach((context) => context.skip(notRun !== undefined, notRun));
    afterAll(async () => {
      for (const storage of storages) await storage.close();
      await stop();
    });

    const openOne = async () => {
      const opened = await open();
      storages.push(opened.storage);
      return {
        ...opened,
        async reopen() {
          const again = await opened.reopen();
          storages.push(again);
          return again;
        },
      };
    };
    const options = { namespace: "skills", sameForAll: true };
    const index = (storage: Storage, maxInMemory: number, embedder = createWordEmbedder()) =>
      openSearchIndex({ ...options, storage, embedder, maxInMemory });
    const idsOf = async (searched: SearchIndex, query: string, limit = 5) =>
      (await searched.search(query, { limit })).map(({ id }) => id);

    test("the same documents with the same scores as an exact scan gives, use and words counted in, and no vector but a few is read", {
      timeout,
    }, async () => {
      const { storage, reopen } = await openOne();
      const documents = manyDocuments(2_400);
      const exact = await index(storage, 100_000);
      await exact.sync(documents);
      await exact.learn("doc_123", "tell me about my favourite thing");
      await exact.learn("doc_7", "umbrella needed tomorrow");
      const embedder = createWordEmbedder();
      const other = watched(await reopen());
      const served = await index(other.storage, 1_000, embedder);
      await served.sync(documents);
      assert.deepEqual(embedder.embedded, [], "what was stored was embedded again");
      assert.ok(other.reads < 10, `${other.reads} vectors were read at once`);

      const queries = ["favourite thing of mine", "umbrella tomorrow", named(1_999), named(77), "garden"];
      for (let at = 0; at < 40; at++)
        queries.push(`${pick(acts, at * 7)} ${pick(places, at * 3)} ${pick(subjects, at)}`);
      let same = 0;
      for (const query of queries) {
        const wanted = await exact.search(query, { limit: 5 });
        const found = await served.search(query, { limit: 5 });
        assert.equal(found.length, 5, query);
        // Equals may come in another order, as their numbers differ in the seventh digit.
        same += wanted.filter(({ score }, at) => Math.abs(score - (found[at]?.score ?? 0)) < 1e-3).length;
      }
      assert.ok(same / (5 * queries.length) >= 0.97, `${same} of ${5 * queries.length} are the same`);
      assert.equal((await idsOf(served, "favourite thing of mine", 1))[0], "doc_123");
      assert.equal((await idsOf(served, named(77), 1))[0], "doc_77");
      assert.deepEqual(served.notices, []);
      const share = other.reads / queries.length;
      assert.ok(share < 200, `${share} vectors a search were read`);
    });

    test("vectors that are no document's here don't crowd out those that are", { timeout }, async () => {
      const { storage } = await openOne();
      const theirs = await openSearchIndex({
        ...options,
        sameForAll: false,
        storage,
        embedder: createWordEmbedder(),
        maxInMemory: 0,
      });
      const crowd = Array.from({ length: 1_500 }, (_, at) => `rain tomorrow ${at}`);
      await theirs.sync(crowd.map((text) => ({ id: text, text, words: "", hash: text })));
      const ours = await index(storage, 0);
      await ours.sync([
        ...manyDocuments(30),
        { id: "umbrella", text: "Whether rain falls tomorrow", words: "", hash: "umbrella" },
      ]);
      assert.equal((await idsOf(ours, "rain tomorrow"))[0], "umbrella");
      assert.equal((await idsOf(ours, "oslo tomorrow rain", 1))[0], "umbrella");
    });

    test("what one process adds, changes and deletes another finds, and no old vector stays behind", {
      timeout,
    }, async () => {
      const { storage, reopen } = await openOne();
      const first = watched(storage);
      const documents = manyDocuments(60);
      const mine = await index(first.storage, 0);
      await mine.sync(documents);
      const [set = ""] = first.sets;
      assert.equal(await storage.vectors?.count(set), 60);

      const embedder = createWordEmbedder();
      const others = await index(await reopen(), 0, embedder);
      await others.sync(documents);
      assert.equal((await idsOf(others, named(42), 1))[0], "doc_42");
      assert.deepEqual(embedder.embedded, [named(42)]);

      const changed = documents.slice(1).map((document) => {
        if (document.id !== "doc_42") return document;
        return { ...document, text: "Feed seventeen ducklings", hash: "other" };
      });
      await mine.sync(changed);
      assert.equal(await storage.vectors?.count(set), 59);
      await others.sync(changed);
      assert.equal((await idsOf(others, "ducklings seventeen", 1))[0], "doc_42");
      assert.ok(!(await idsOf(others, documents[0]?.text ?? "", 59)).includes("doc_0"));
      await others.sync(documents);
      assert.equal((await idsOf(others, documents[0]?.text ?? "", 1))[0], "doc_0", "what came back is not found");
      assert.equal(await storage.vectors?.count(set), 60);
    });

    test("two models keep apart, and a corpus that grows and shrinks across the limit finds the same", {
      timeout,
    }, async () => {
      const { storage } = await openOne();
      const embedder = createWordEmbedder();
      const growing = await index(storage, 40, embedder);
      const other = await index(storage, 0, { ...createWordEmbedder(), model: "another" });
      await other.sync(manyDocuments(80));
      for (const count of [30, 80, 35, 80]) {
        await growing.sync(manyDocuments(count));
        for (const at of [3, 17, 29]) assert.equal((await idsOf(growing, named(at), 1))[0], `doc_${at}`);
      }
      const texts = embedder.embedded.filter((text) => text.includes("the"));
      assert.ok(texts.length <= 80 + 45 + 45, `${texts.length} were embedded`);
      assert.equal((await idsOf(other, named(5), 1))[0], "doc_5");
    });

    test("a storage that fails to rank leaves words to decide, and says so, until it ranks again", {
      timeout,
    }, async () => {
      const opened = await openOne();
      const { storage, breakRanking } = opened.breakRanking ? { ...opened } : refusing(opened.storage);
      const served = await index(storage, 0);
      await served.sync(manyDocuments(50));
      const { mend } = await (breakRanking as NonNullable<OpenedSubject["breakRanking"]>)();
      await served.sync(manyDocuments(52));
      assert.equal((await idsOf(served, named(51), 1))[0], "doc_51");
      assert.equal(served.notices.length, 1);
      assert.match(served.notices[0] ?? "", /^Search goes by words only for now\./);
      await mend();
      await served.sync(manyDocuments(52));
      assert.equal((await idsOf(served, `${named(51)} of paris`, 1))[0], "doc_51");
      assert.equal(served.notices.length, 1);
    });

    test("vectors that were kept in blobs before the storage ranked any are taken over, and not embedded again", {
      timeout,
    }, async () => {
      const { storage } = await openOne();
      const { vectors: _, ...without } = storage;
      const before = await index({ ...without, capabilities: { ...storage.capabilities, vectors: false } }, 0);
      await before.sync(manyDocuments(40));
      for (const maxInMemory of [100, 0]) {
        const embedder = createWordEmbedder();
        const after = await index(storage, maxInMemory, embedder);
        await after.sync(manyDocuments(40));
        assert.deepEqual(embedder.embedded, []);
        assert.equal((await idsOf(after, named(33), 1))[0], "doc_33");
      }
    });

    test("a storage that takes no vectors costs nothing but their being computed again", { timeout }, async () => {
      const { storage } = await openOne();
      const put = async () => {
        throw new ArtificerError("storage/read-only", "Nobody writes here.");
      };
      const embedder = createWordEmbedder();
      const readOnly = await index({ ...storage, vectors: { ...(storage.vectors as VectorStore), put } }, 0, embedder);
      for (let round = 0; round < 3; round++) {
        await readOnly.sync([...manyDocuments(30)]);
        assert.equal((await idsOf(readOnly, named(21), 1))[0], "doc_21");
      }
      assert.equal(embedder.embedded.length, 33);
      assert.deepEqual(readOnly.notices.length, 1);
      assert.match(readOnly.notices[0] ?? "", /could not be stored/);
    });
  });
}
