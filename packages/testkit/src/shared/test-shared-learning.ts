import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import { utf8 } from "../storage/blob-bytes.js";
import { countReads } from "./counted-storage.js";
import { openSharedLibrary, skillText } from "./open-shared-library.js";
import { type Searcher, startSearcher } from "./searcher.js";
import { openTarget, type ProgramTarget } from "./shared-storage.js";

const timeout = 120_000;

/** A storage that processes share, for a test file. */
export interface SharedLearningSubject {
  /** Makes it ready. @returns how a process opens it, and how it is ended. */
  start(): Promise<{ target: ProgramTarget; stop(): Promise<void> }>;
}

/** Registers with vitest what processes learn from one another: skills, vectors, and the queries that led to them. */
export function testSharedLearning(name: string, subject: SharedLearningSubject): void {
  describe(`${name} lets processes learn from one another [P8]`, () => {
    let target: ProgramTarget;
    let stop: () => Promise<void> = async () => {};
    let searcher: Searcher;

    beforeAll(async () => {
      ({ target, stop } = await subject.start());
      searcher = await startSearcher(target);
    }, timeout);
    afterAll(async () => {
      await searcher?.stop();
      await stop();
    });

    test("a skill that one process saved is found by the next search of another, which embeds and analyses nothing anew", {
      timeout,
    }, async () => {
      assert.deepEqual((await searcher.search("anything")).names, []);
      const storage = await openTarget(target);
      try {
        const { library, embedded } = await openSharedLibrary(storage);
        const source = skillText("collect_terms", "Summarise the licence of every package");
        await library.create({ name: "collect_terms", source });
        assert.equal(embedded.length, 1);
        const found = await searcher.search("licence summary");
        assert.deepEqual(found, { names: ["collect_terms"], embedded: ["licence summary"], analysed: 0 });

        await library.create(
          { name: "collect_terms", source: skillText("collect_terms", "Count ducks") },
          { replace: true },
        );
        const changed = await searcher.search("ducks");
        assert.deepEqual(changed, { names: ["collect_terms"], embedded: ["ducks"], analysed: 0 });

        await library.delete("collect_terms");
        assert.deepEqual((await searcher.search("ducks")).names, []);
      } finally {
        await storage.close();
      }
    });

    test("a query that led one process to a success leads another there, and is embedded once", {
      timeout,
    }, async () => {
      const storage = await openTarget(target);
      try {
        const { library } = await openSharedLibrary(storage);
        await library.create({ name: "tidy", source: skillText("tidy", "Remove stale branches") });
        await library.create({ name: "umbrella", source: skillText("umbrella", "Tell whether rain is due") });
        const query = "spring cleaning of the repository";
        const { names } = await searcher.search(query);
        await library.used({ name: "tidy", version: 1, ok: true, ms: 1, query });
        const found = await searcher.search(query);
        assert.equal(found.names[0], "tidy", `before, it gave ${names}`);
        assert.deepEqual(found.embedded, [query], "its own query alone");
      } finally {
        await storage.close();
      }
    });

    test("a library that is opened anew reads, analyses and embeds only what changed since somebody last did, of hundreds of skills", {
      timeout,
    }, async () => {
      const count = 300;
      const key = (n: number) => `skills/part_${n}.py`;
      const text = (n: number, what = `Does part number ${n}`) => utf8(skillText(`part_${n}`, what));
      /** Opens everything anew, searches, and tells what that took. */
      const openAndSearch = async () => {
        const storage = await openTarget(target);
        try {
          const reads = countReads(storage);
          const { library, embedded, analysed } = await openSharedLibrary(reads.storage);
          const found = await library.search("part", { limit: 1_000 });
          const read = reads.blobs.filter((each) => each.startsWith("skills/")).sort();
          const names = found.map(({ name }) => name).filter((name) => name.startsWith("part_"));
          return {
            names,
            read,
            records: reads.records.sort(),
            embedded: embedded.length - 1,
            analysed: analysed.length,
          };
        } finally {
          await storage.close();
        }
      };
      const storage = await openTarget(target);
      try {
        for (let n = 0; n < count; n += 20)
          await Promise.all(Array.from({ length: 20 }, (_, at) => storage.blobs.write(key(n + at), text(n + at))));
        const first = await openAndSearch();
        assert.equal(first.names.length, count);
        assert.deepEqual([first.read.length, first.analysed, first.embedded], [count, count, count]);

        const again = await openAndSearch();
        assert.equal(again.names.length, count);
        assert.deepEqual({ ...again, names: [] }, { names: [], read: [], records: [], embedded: 0, analysed: 0 });

        await storage.blobs.write(key(7), text(7, "Does part seven another way"));
        await storage.blobs.write(key(count), text(count));
        await storage.blobs.delete(key(9));
        const changed = await openAndSearch();
        assert.equal(changed.names.length, count);
        const looked = [7, count].map((n) => `part_${n}`).sort();
        assert.deepEqual(
          changed.read,
          looked.map((name) => `skills/${name}.py`),
        );
        assert.deepEqual(
          changed.records,
          looked.map((name) => `skill-index/${name}`),
        );
        assert.deepEqual([changed.analysed, changed.embedded], [2, 2]);
      } finally {
        for (let n = 0; n <= count; n++) await storage.blobs.delete(key(n));
        await storage.close();
      }
    });

    test("of four processes that meet new skills at once, all together embed each once", { timeout }, async () => {
      const storage = await openTarget(target);
      const others: Searcher[] = [];
      try {
        for (let n = 0; n < 4; n++) others.push(await startSearcher(target, 300));
        // Put there by hand, so that nobody has embedded them yet.
        for (let n = 0; n < 20; n++)
          await storage.blobs.write(`skills/new_${n}.py`, utf8(skillText(`new_${n}`, `Does thing number ${n}`)));
        const reports = await Promise.all(others.map((other) => other.search("thing")));
        const texts = reports.flatMap(({ embedded }) => embedded).filter((text) => text !== "thing");
        assert.ok(reports.every(({ names }) => names.length === 3));
        const fresh = texts.filter((text) => text.startsWith("new"));
        assert.equal(fresh.length, 20, `embedded: ${texts.join("; ")}`);
      } finally {
        for (const other of others) await other.stop();
        await storage.close();
      }
    });
  });
}
