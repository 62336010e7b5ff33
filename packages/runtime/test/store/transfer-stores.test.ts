import { ArtificerError, type Storage } from "@artificer/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { hashOf } from "../../src/skills/hash-of.js";
import { createMemoryStorage } from "../../src/storage/create-memory-storage.js";
import { collectGarbage } from "../../src/store/collect-garbage.js";
import type { StorePeer } from "../../src/store/store-identity.js";
import { type TransferOptions, transferStores } from "../../src/store/transfer-stores.js";
import { verifyStore } from "../../src/store/verify-store.js";

let here: StorePeer;
let there: StorePeer;
beforeEach(() => {
  here = { storage: createMemoryStorage(), location: "memory:here" };
  there = { storage: createMemoryStorage(), location: "memory:there" };
});

const transfer = (direction: TransferOptions["direction"], options: Partial<TransferOptions> = {}) =>
  transferStores(here, there, { direction, ...options });

async function text(storage: Storage, key: string): Promise<string | undefined> {
  const blob = await storage.blobs.read(key);
  if (blob === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of blob.bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

const put = (storage: Storage, key: string, content: string) => storage.blobs.write(key, Buffer.from(content));

const skillText = (version: number, body: string) =>
  `# ---\n# name: tally\n# version: ${version}\n# ---\ndef run() -> int:\n    return ${body}\n`;

/** Saves as the library does: a version, then the file. */
async function saveSkill(storage: Storage, version: number, body: string): Promise<void> {
  const content = skillText(version, body);
  const metadata = { hash: hashOf(content) };
  await storage.blobs.write(`skill-versions/tally/${version}.py`, Buffer.from(content), { metadata });
  await put(storage, "skills/tally.py", content);
}

async function versionsOf(storage: Storage): Promise<Record<string, string>> {
  const { items } = await storage.blobs.list("skill-versions/tally/");
  const bodies: Record<string, string> = {};
  for (const { key } of items)
    bodies[key.slice("skill-versions/tally/".length)] = /return (.*)\n/.exec((await text(storage, key))!)![1]!;
  return bodies;
}

describe("Two stores brought together", () => {
  it("have all the same afterwards, metadata and versions with it, and a second time nothing is done [P12]", async () => {
    for (const [version, body] of ["1", "2", "3"].entries()) await saveSkill(here.storage, version + 1, body);
    await here.storage.blobs.write("artifacts/reports/may", Buffer.from([0, 255]), {
      metadata: { kind: "bytes", description: "May" },
    });
    await put(here.storage, "tools/curl.yaml", "name: curl\n");
    await put(there.storage, "requirements.txt", "six\n");
    const first = await transfer("sync");
    expect(first.conflicts).toEqual([]);
    expect(await versionsOf(there.storage)).toEqual({ "1.py": "1", "2.py": "2", "3.py": "3" });
    expect(await text(here.storage, "requirements.txt")).toBe("six\n");
    const artifact = await there.storage.blobs.stat("artifacts/reports/may");
    expect(artifact).toMatchObject({ size: 2, metadata: { kind: "bytes", description: "May" } });
    const second = await transfer("sync");
    expect(second.items.map(({ action, history, outcome }) => [action, history, outcome])).toEqual(
      second.items.map(() => ["none", undefined, "left"]),
    );
  });

  it("leave what changed on both sides as it is, until somebody decides; the other's text stays a version", async () => {
    await saveSkill(here.storage, 1, "1");
    await transfer("sync");
    await saveSkill(here.storage, 2, "20");
    await saveSkill(there.storage, 2, "30");
    const told = await transfer("sync");
    expect(told.conflicts).toEqual(["skills/tally"]);
    expect(await text(there.storage, "skills/tally.py")).toBe(skillText(2, "30"));
    await transfer("sync", { decide: () => "ours" });
    expect(await text(there.storage, "skills/tally.py")).toBe(skillText(3, "20"));
    expect(await versionsOf(there.storage)).toEqual({ "1.py": "1", "2.py": "30", "3.py": "20" });
    await transfer("sync");
    expect(await versionsOf(here.storage)).toEqual({ "1.py": "1", "2.py": "20", "3.py": "30" });
    expect((await transfer("sync")).items).toMatchObject([{ action: "none" }]);
  });

  it("keep a text that somebody wrote into the file by hand, when it is replaced or deleted", async () => {
    await saveSkill(here.storage, 1, "1");
    await transfer("sync");
    await put(there.storage, "skills/tally.py", skillText(1, "by_hand"));
    await saveSkill(here.storage, 2, "2");
    await transfer("push", { decide: () => "ours" });
    expect(Object.values(await versionsOf(there.storage)).sort()).toEqual(["1", "2", "by_hand"]);
    await here.storage.blobs.delete("skills/tally.py");
    await put(there.storage, "skills/tally.py", skillText(9, "again_by_hand"));
    await transfer("push", { decide: () => "ours" });
    expect(await text(there.storage, "skills/tally.py")).toBeUndefined();
    expect(Object.values(await versionsOf(there.storage))).toContain("again_by_hand");
  });

  it("lose nothing when two transfers run at once, or somebody writes in the middle of one", async () => {
    for (let at = 0; at < 60; at++) await put(here.storage, `artifacts/${at}`, `content ${at}`);
    const reports = await Promise.all([transfer("sync"), transfer("sync"), transfer("push")]);
    expect(reports.flatMap(({ conflicts }) => conflicts)).toEqual([]);
    expect(reports.flatMap(({ items }) => items).filter(({ outcome }) => outcome === "failed")).toEqual([]);
    for (let at = 0; at < 60; at++) expect(await text(there.storage, `artifacts/${at}`)).toBe(`content ${at}`);

    await put(here.storage, "artifacts/7", "changed here");
    const racing = intercepted(
      there.storage,
      async () => void (await put(there.storage, "artifacts/7", "changed there meanwhile")),
    );
    const report = await transferStores(here, { ...there, storage: racing }, { direction: "push" });
    expect(report.conflicts).toEqual(["artifacts/7"]);
    expect(await text(there.storage, "artifacts/7")).toBe("changed there meanwhile");
  });

  it("end right when a transfer was ended in the middle and is run again", async () => {
    for (let at = 0; at < 50; at++) await put(here.storage, `artifacts/${at}`, `content ${at}`);
    const ending = new AbortController();
    const ended = transfer("push", {
      signal: ending.signal,
      onProgress: ({ done }) => void (done === 10 && ending.abort(new Error("ended"))),
    });
    await expect(ended).rejects.toThrow("ended");
    const { items } = await transfer("push");
    expect(items.filter(({ outcome }) => outcome === "done").length).toBeLessThan(45);
    expect(await there.storage.blobs.list("artifacts/")).toMatchObject({ items: { length: 50 } });
    expect((await transfer("sync")).items.every(({ action }) => action === "none")).toBe(true);
  });

  it("stop at once at a target that can't be written, and tell the reason", async () => {
    await put(here.storage, "artifacts/a", "a");
    const refuse = async (): Promise<never> => {
      throw new ArtificerError("storage/read-only", "It can't be written.");
    };
    const { storage } = there;
    const readOnly: Storage = {
      ...storage,
      records: { ...storage.records, put: refuse },
      blobs: { ...storage.blobs, write: refuse },
    };
    const pushed = transferStores(here, { ...there, storage: readOnly }, { direction: "push" });
    await expect(pushed).rejects.toMatchObject({ code: "storage/read-only" });
    await put(storage, "artifacts/b", "b");
    const pulled = await transferStores(here, { ...there, storage: readOnly }, { direction: "pull" });
    expect(pulled.items).toMatchObject([
      { id: "artifacts/a", outcome: "left" },
      { id: "artifacts/b", outcome: "done" },
    ]);
    // What was agreed is noted on the side that can be written: a change there is no conflict.
    await put(storage, "artifacts/b", "b changed");
    const again = await transferStores(here, { ...there, storage: readOnly }, { direction: "pull" });
    expect(again.conflicts).toEqual([]);
    expect(await text(here.storage, "artifacts/b")).toBe("b changed");
  });

  it("don't take a copied folder, which bears the same id, for the one that it was copied from", async () => {
    await put(here.storage, "artifacts/a", "1");
    await transfer("sync");
    const copy = createMemoryStorage();
    for (const { key, value } of (await here.storage.records.list("")).items) await copy.records.put(key, value);
    await put(copy, "artifacts/a", "1");
    await put(here.storage, "artifacts/a", "2");
    await transfer("sync");
    const report = await transferStores({ storage: copy, location: "memory:copy" }, there, { direction: "sync" });
    expect(report.conflicts).toEqual(["artifacts/a"]);
    expect(await text(there.storage, "artifacts/a")).toBe("2");
  });

  it("don't carry over what looks like a secret, unless it is asked for", async () => {
    await put(
      here.storage,
      "tools/shop.yaml",
      "name: shop\nheaders: {authorization: ghp_abcdefghijklmnopqrstuvwxyz0123456789}\n",
    );
    const refused = await transfer("push");
    expect(refused.items).toMatchObject([{ outcome: "failed", error: { code: "store/secret-found" } }]);
    expect(await text(there.storage, "tools/shop.yaml")).toBeUndefined();
    expect((await transfer("push", { allowSecrets: true })).items).toMatchObject([{ outcome: "done" }]);
  });

  it("don't carry over a secret that stands in an earlier version only", async () => {
    const key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    await put(here.storage, "skill-versions/shop/1.py", `def run():\n    return "${key}"\n`);
    await put(here.storage, "skill-versions/shop/2.py", "def run():\n    return 2\n");
    await put(here.storage, "skills/shop.py", "def run():\n    return 2\n");
    const refused = await transfer("push");
    expect(refused.items).toMatchObject([{ outcome: "failed", error: { code: "store/secret-found" } }]);
    expect(JSON.stringify(refused.items)).toContain("skill-versions/shop/1.py");
    expect((await there.storage.blobs.list("")).items).toEqual([]);
    expect((await transfer("push", { allowSecrets: true })).items).toMatchObject([{ outcome: "done" }]);
    expect(await text(there.storage, "skill-versions/shop/1.py")).toContain(key);
  });

  it("bring the versions of a deleted skill to each other, so that it can be had back from either [P12]", async () => {
    await saveSkill(here.storage, 1, "1");
    await saveSkill(here.storage, 2, "2");
    await here.storage.blobs.delete("skills/tally.py");
    const planned = await transfer("push", { dryRun: true });
    expect(planned.items).toMatchObject([
      { id: "skills/tally", local: "deleted", remote: "absent", action: "none", history: { toRemote: true } },
    ]);
    expect((await transfer("push", { only: (id) => id !== "skills/tally" })).items).toEqual([]);
    expect((await transfer("push", { kinds: ["tools"] })).items).toEqual([]);
    expect((await transfer("pull")).items).toEqual([]);
    expect((await transfer("push")).items).toMatchObject([{ outcome: "done" }]);
    expect(await versionsOf(there.storage)).toEqual({ "1.py": "1", "2.py": "2" });
    expect((await transfer("sync")).items).toEqual([]);
    // It was had back there, went on, and was deleted again.
    await saveSkill(there.storage, 3, "3");
    await there.storage.blobs.delete("skills/tally.py");
    expect((await transfer("sync")).items).toMatchObject([{ outcome: "done", history: { toLocal: true } }]);
    expect(await versionsOf(here.storage)).toEqual({ "1.py": "1", "2.py": "2", "3.py": "3" });
    expect(await text(here.storage, "skills/tally.py")).toBeUndefined();
  });

  it("leave the versions of a deleted skill that hold a secret, say so, and fail at nothing", async () => {
    const key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    await put(here.storage, "skill-versions/shop/1.py", `def run():\n    return "${key}"\n`);
    await put(here.storage, "artifacts/a", "a");
    const { items } = await transfer("push");
    expect(items).toMatchObject([
      { id: "artifacts/a", outcome: "done" },
      { id: "skills/shop", outcome: "left", reason: expect.stringContaining("Line 2 of skill-versions/shop/1.py") },
    ]);
    expect((await there.storage.blobs.list("skill")).items).toEqual([]);
    expect((await transfer("push", { allowSecrets: true })).items).toMatchObject([{}, { outcome: "done" }]);
    expect(await text(there.storage, "skill-versions/shop/1.py")).toContain(key);
  });

  it("are not changed by a dry run, not even in what they note", async () => {
    await put(here.storage, "artifacts/a", "a");
    const report = await transfer("sync", { dryRun: true });
    expect(report.items).toMatchObject([{ action: "to-remote", outcome: "left" }]);
    for (const { storage } of [here, there]) expect((await storage.records.list("")).items).toEqual([]);
    expect((await there.storage.blobs.list("")).items).toEqual([]);
  });
});

describe("A store that is verified", () => {
  it("tells what is damaged, and where [P12]", async () => {
    const { storage } = here;
    await saveSkill(storage, 1, "1");
    await put(storage, "artifacts/fine.json", "{}");
    expect(await verifyStore(storage)).toMatchObject({ blobs: 3, faults: [] });
    await storage.blobs.write("skill-versions/tally/1.py", Buffer.from("other"), {
      metadata: { hash: hashOf("what was saved") },
    });
    await storage.blobs.write("artifacts/broken", Buffer.from("{"), { metadata: { kind: "json" } });
    await put(storage, "skills/Bad-Name.py", "def run(): ...\n");
    await put(storage, "tools/x.yaml", "a: [");
    const checkText = (key: string) => {
      throw new ArtificerError("tool/definition-invalid", `${key} is no YAML.`);
    };
    const { faults } = await verifyStore(storage, { checkText });
    expect(faults.map(({ key, error }) => [key, error.code])).toEqual([
      ["artifacts/broken", "artifact/unreadable"],
      ["skill-versions/tally/1.py", "store/damaged"],
      ["skills/Bad-Name.py", "skill/invalid-name"],
      ["tools/x.yaml", "tool/definition-invalid"],
    ]);
  });
});

describe("A store that is cleared", () => {
  it("loses what nothing refers to, and nothing else; a dry run only tells [P12]", async () => {
    const { storage } = here;
    await saveSkill(storage, 1, "1");
    const manifest = JSON.stringify({
      savedAt: "2020-01-01T00:00:00.000Z",
      pieces: [{ blob: "snapshots/s/python/a/used" }],
    });
    await storage.records.put("snapshots/s/python", { manifest, signature: "x" });
    for (const name of ["used", "orphan"]) await put(storage, `snapshots/s/python/a/${name}`, name);
    await storage.records.put("skill-usage/gone", {});
    await storage.records.put("skill-usage/tally", {});
    await storage.records.put("sync/somebody/00", { at: "2020-01-01T00:00:00.000Z", items: {} });
    const now = Date.now() + 7_200_000;
    const told = await collectGarbage(storage, { dryRun: true, now });
    expect(told.map(({ key }) => key)).toEqual(["snapshots/s/python/a/orphan", "skill-usage/gone", "sync/somebody/00"]);
    expect(await text(storage, "snapshots/s/python/a/orphan")).toBe("orphan");
    await collectGarbage(storage, { now });
    expect(await collectGarbage(storage, { now })).toEqual([]);
    expect(await text(storage, "snapshots/s/python/a/used")).toBe("used");
    expect((await storage.records.list("")).items.map(({ key }) => key)).toEqual([
      "skill-usage/tally",
      "snapshots/s/python",
    ]);
    // A session goes only when its time is named, and whole.
    const old = await collectGarbage(storage, { dryRun: true, sessionsUnusedDays: 1, now: now + 3 * 86_400_000 });
    expect(old.map(({ key }) => key)).toEqual(["snapshots/s/python", "snapshots/s/python/a/used"]);
  });
});

/** Runs `before` ahead of the first conditional write. */
function intercepted(storage: Storage, before: () => Promise<void>): Storage {
  let waiting = true;
  return {
    ...storage,
    blobs: {
      ...storage.blobs,
      async write(key, bytes, options) {
        if (waiting) {
          waiting = false;
          await before();
        }
        return storage.blobs.write(key, bytes, options);
      },
    },
  };
}
