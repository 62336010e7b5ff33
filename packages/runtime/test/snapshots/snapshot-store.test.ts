import { randomBytes } from "node:crypto";
import type { SnapshotSaveResult, Storage } from "@artificer/protocol";
import { describe, expect, it } from "vitest";
import { createSigner } from "../../src/snapshots/create-signer.js";
import { loadSnapshot } from "../../src/snapshots/restore-kernel.js";
import { createSnapshotStore, type SnapshotStore } from "../../src/snapshots/snapshot-store.js";
import { createMemoryStorage } from "../../src/storage/create-memory-storage.js";

const signer = createSigner(randomBytes(32));

function storeOn(storage: Storage, session = "one", owner?: string, by = signer): SnapshotStore {
  return createSnapshotStore({ storage, session, language: "python", owner, signer: by });
}

/** What a kernel answers: every variable holds the save's number, large ones many times over. */
function save(number: number, names: Record<string, number>): SnapshotSaveResult {
  const piece = (name: string, bytes: number) => {
    const data = new Uint8Array(bytes).fill(number);
    return { tag: Buffer.from(`${name}${number}`).toString("hex").padEnd(64, "0"), bytes, data };
  };
  return {
    complete: true,
    facts: piece("facts", 10),
    groups: Object.entries(names).map(([name, bytes]) => ({ ...piece(name, bytes), names: [name], isolated: true })),
    names: [],
    skipped: [],
    cost: { variables: 1, examined: 1, pickledBytes: 1, ms: 1 },
  };
}

const saved = (cell: number) => ({ cell, generation: 1, carried: [] });

async function contents(storage: Storage): Promise<{ cell: number; values: Record<string, number> } | undefined> {
  const store = storeOn(storage);
  const manifest = await store.load();
  if (manifest === undefined) return undefined;
  const { groups, failed, facts } = await loadSnapshot(store, manifest);
  expect(failed).toEqual([]);
  const values: Record<string, number> = { facts: facts[0]! };
  for (const { names, data } of groups) {
    expect(new Set(data).size).toBe(1);
    values[names[0]!] = data[0]!;
  }
  return { cell: manifest.cell, values };
}

/** A storage whose process ends after so many writes: the call that would be next never happens, nor any later one. */
function endingAfter(storage: Storage, writes: number): Storage {
  let left = writes;
  const guard =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (left-- <= 0) throw new Error("the process has ended");
      return call(...args);
    };
  const { records, blobs } = storage;
  return {
    ...storage,
    records: { ...records, put: guard(records.put), delete: guard(records.delete) },
    blobs: { ...blobs, write: guard(blobs.write), delete: guard(blobs.delete) },
  };
}

describe("the stored snapshot [A7]", () => {
  it("is the old one or the new one, whole, at whatever write the process ends", async () => {
    const seen = new Set<number>();
    for (let writes = 0; writes < 8; writes++) {
      const storage = createMemoryStorage();
      await storeOn(storage).commit(save(1, { a: 10_000, b: 5, c: 20_000 }), saved(1));
      const second = storeOn(endingAfter(storage, writes));
      await second.load();
      await second.commit(save(2, { a: 10_000, b: 5, c: 20_000 }), saved(2)).catch(() => {});
      const found = await contents(storage);
      seen.add(found!.cell);
      // A variable that could not be written is named and left out; those that are there are of one save.
      expect(new Set(Object.values(found!.values))).toEqual(new Set([found!.cell]));
    }
    expect(seen).toEqual(new Set([1, 2]));
  });

  it("takes over what is stored by its tag, and deletes what nobody names any more", async () => {
    const storage = createMemoryStorage();
    const store = storeOn(storage);
    await store.commit(save(1, { a: 10_000, b: 10_000 }), saved(1));
    const next = save(1, { a: 10_000, c: 10_000 });
    delete next.groups[0]!.data;
    await store.commit(next, saved(2));
    expect(await contents(storage)).toEqual({ cell: 2, values: { facts: 1, a: 1, c: 1 } });
    expect((await storage.blobs.list("snapshots/")).items).toHaveLength(2);
    await store.clear();
    expect(await contents(storage)).toBeUndefined();
    expect((await storage.blobs.list("snapshots/")).items).toEqual([]);
  });

  it("of a writer that came first stands: the second is refused and leaves nothing behind", async () => {
    const storage = createMemoryStorage();
    const [left, right] = [storeOn(storage), storeOn(storage)];
    await left.load();
    await right.load();
    await left.commit(save(1, { a: 10_000 }), saved(1));
    await expect(right.commit(save(2, { a: 10_000 }), saved(1))).rejects.toMatchObject({ code: "snapshot/conflict" });
    expect(await contents(storage)).toEqual({ cell: 1, values: { facts: 1, a: 1 } });
    expect((await storage.blobs.list("snapshots/")).items).toHaveLength(1);
  });

  it("is refused when its record, its session or its owner is another", async () => {
    const storage = createMemoryStorage();
    await storeOn(storage).commit(save(1, { a: 5 }), saved(1));
    const record = (await storage.records.get("snapshots/one/python"))!.value;
    await storage.records.put("snapshots/two/python", record);
    await expect(storeOn(storage, "two").load()).rejects.toMatchObject({ code: "snapshot/not-authentic" });
    await expect(storeOn(storage, "one", "ada").load()).rejects.toMatchObject({ code: "snapshot/not-authentic" });
    const changed = { ...record, manifest: String(record.manifest).replace('"cell":1', '"cell":7') };
    await storage.records.put("snapshots/one/python", changed);
    const store = storeOn(storage);
    await expect(store.load()).rejects.toMatchObject({ code: "snapshot/not-authentic" });
    // The next save replaces it.
    await store.commit(save(3, { a: 5 }), saved(3));
    expect(await contents(storage)).toEqual({ cell: 3, values: { facts: 3, a: 3 } });
  });

  it("is signed anew under the first of several keys, pieces that no kernel could take included", async () => {
    const storage = createMemoryStorage();
    const [older, newer] = [randomBytes(32), randomBytes(32)];
    await storeOn(storage, "one", undefined, createSigner(older)).commit(save(1, { a: 10_000, b: 5 }), saved(1));
    const both = storeOn(storage, "one", undefined, createSigner([newer, older]));
    const manifest = await both.load();
    expect(both.reusable).toEqual([]);
    await both.commit(save(2, { c: 5 }), { cell: 2, generation: 1, carried: manifest!.pieces });
    expect(both.reusable).toHaveLength(4);
    const alone = storeOn(storage, "one", undefined, createSigner(newer));
    const { groups, failed } = await loadSnapshot(alone, (await alone.load())!);
    expect(failed).toEqual([]);
    expect(groups.flatMap(({ names }) => names).sort()).toEqual(["a", "b", "c"]);
  });

  it("that another key signed is not replaced, not even by a writer that could not read it at first", async () => {
    const storage = createMemoryStorage();
    await storeOn(storage).commit(save(1, { a: 10_000 }), saved(1));
    const other = storeOn(storage, "one", undefined, createSigner(randomBytes(32)));
    await expect(other.load()).rejects.toMatchObject({ code: "snapshot/other-key" });
    await expect(other.commit(save(2, { a: 10_000 }), saved(2))).rejects.toMatchObject({ code: "snapshot/other-key" });

    let broken = true;
    const get: Storage["records"]["get"] = async (...args) => {
      if (broken) throw new Error("no line");
      return storage.records.get(...args);
    };
    const late = { ...storage, records: { ...storage.records, get } };
    const unread = storeOn(late, "one", undefined, createSigner(randomBytes(32)));
    await expect(unread.load()).rejects.toThrow("no line");
    broken = false;
    await expect(unread.commit(save(2, { a: 10_000 }), saved(2))).rejects.toMatchObject({ code: "snapshot/other-key" });
    expect(await contents(storage)).toEqual({ cell: 1, values: { facts: 1, a: 1 } });
    expect((await storage.blobs.list("snapshots/")).items).toHaveLength(1);

    await unread.clear();
    await unread.commit(save(3, { a: 5 }), saved(3));
    await expect(storeOn(storage).load()).rejects.toMatchObject({ code: "snapshot/other-key" });
  });

  it("keeps no bytes for a piece that the kernel names and never sent", async () => {
    const storage = createMemoryStorage();
    const result = save(1, { a: 5, b: 5 });
    delete result.groups[1]!.data;
    expect(await storeOn(storage).commit(result, saved(1))).toEqual([
      { name: "b", reason: expect.stringContaining("did not send") },
    ]);
    expect(await contents(storage)).toEqual({ cell: 1, values: { facts: 1, a: 1 } });
  });
});
