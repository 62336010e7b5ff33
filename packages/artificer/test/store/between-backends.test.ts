import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "@artificer/protocol";
import { createMemoryStorage } from "@artificer/runtime";
import { type Service, startOwnRedis, startPostgres, startRedis } from "@artificer/testkit/services";
import { createClient } from "@redis/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  migrateStore,
  openImport,
  openPeer,
  takeInventory,
  transferStores,
  verifyStore,
  writeArchive,
} from "../../src/store/index.js";

const folder = mkdtempSync(join(tmpdir(), "artificer-backends-"));
const part = `t${randomBytes(6).toString("hex")}`;
let redis: Service;
let postgres: Service;
let urls: string[];
beforeAll(async () => {
  [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
  urls = [
    `file:${join(folder, "first")}`,
    `${redis.url}?prefix=${part}`,
    `${postgres.url}?schema=${part}&tenant=acme`,
    `pglite:${join(folder, "pglite")}?tenant=acme`,
    `file:${join(folder, "last")}`,
  ];
}, 120_000);
afterAll(async () => {
  await Promise.all([redis?.stop(), postgres?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const kinds = ["skills", "tools", "deps", "artifacts", "config"] as const;

/** Everything that travels, as bytes and metadata. */
async function content(storage: Storage): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const { key } of (await storage.blobs.list("")).items) {
    const blob = (await storage.blobs.read(key))!;
    const chunks: Uint8Array[] = [];
    for await (const chunk of blob.bytes) chunks.push(chunk);
    all[key] = { bytes: Buffer.concat(chunks).toString("base64"), metadata: blob.info.metadata };
  }
  return all;
}

async function fill(storage: Storage): Promise<void> {
  const write = (key: string, text: string | Uint8Array, metadata = {}) =>
    storage.blobs.write(key, typeof text === "string" ? Buffer.from(text) : text, { metadata });
  for (const version of [1, 2, 3]) {
    const text = `# ---\n# name: tally\n# version: ${version}\n# ---\ndef run():\n    return ${version}\n`;
    await write(`skill-versions/tally/${version}.py`, text, { hash: createHash("sha256").update(text).digest("hex") });
    if (version === 3) await write("skills/tally.py", text);
  }
  await write("tools/echo.yaml", "name: echo\ncommand: echo\nrecipes: {say: {args: [hi]}}\n");
  await write("tools/nested/openapi.json", "{}");
  await write("mcp.json", '{"mcpServers": {}}');
  await write("requirements.txt", "# ours\nsix==1.16\n");
  await write("config.yaml", "deps: {allow_runtime: false}\n");
  await write("artifacts/größe/日本 語", new Uint8Array(randomBytes(700_000)), {
    kind: "bytes",
    description: "large",
    metadata: { n: 1 },
  });
  await write("artifacts/a", "a");
  await write("artifacts/a/b", "below it");
}

describe("A store carried from backend to backend", () => {
  it("arrives whole: files to Redis to PostgreSQL to PGlite to files to an export and back [P12]", async () => {
    const first = await openPeer(urls[0]!);
    await fill(first.storage);
    const before = await content(first.storage);
    await first.close();
    for (let at = 1; at < urls.length; at++) {
      const from = await openPeer(urls[at - 1]!);
      const to = await openPeer(urls[at]!);
      const { items } = await transferStores(from, to, { direction: "push", kinds });
      expect(items.filter(({ outcome }) => outcome === "failed")).toEqual([]);
      expect(await content(to.storage), to.location).toEqual(before);
      expect((await verifyStore(to.storage)).faults).toEqual([]);
      const again = await transferStores(from, to, { direction: "sync", kinds });
      expect(again.items.every(({ action, history }) => action === "none" && history === undefined)).toBe(true);
      await Promise.all([from.close(), to.close()]);
    }
    const last = await openPeer(urls.at(-1)!);
    const file = join(folder, "export.tar.gz");
    await writeArchive(file, last, { kinds });
    await last.close();
    const archive = await openImport(file);
    const restored = await openPeer("memory:");
    await transferStores(restored, archive, { direction: "pull", kinds });
    expect(await content(restored.storage)).toEqual(before);
    await archive.close();
  }, 120_000);

  it("tells both ways what changed, and lists without making anything that is not there", async () => {
    const left = await openPeer(urls[1]!, { create: false });
    const right = await openPeer(urls[2]!, { create: false });
    await left.storage.blobs.write("artifacts/a", Buffer.from("changed in Redis"));
    await right.storage.blobs.write("requirements.txt", Buffer.from("six==1.17\n"));
    const plan = await transferStores(left, right, { direction: "sync", kinds, dryRun: true });
    expect(plan.items.filter(({ action }) => action !== "none").map(({ id, action }) => [id, action])).toEqual([
      ["artifacts/a", "to-remote"],
      ["requirements.txt", "to-local"],
    ]);
    expect(
      (await takeInventory(right.storage, { kinds: ["skills"] })).get("skills/tally")?.history?.versions,
    ).toHaveLength(3);
    await Promise.all([left.close(), right.close()]);
    const absent = openPeer(`${postgres.url}?schema=${part}_none`, { create: false });
    await expect(absent).rejects.toMatchObject({
      code: "storage/unavailable",
      hint: expect.stringContaining("artificer store migrate"),
    });
    await expect(openPeer(join(folder, "none"), { create: false })).rejects.toMatchObject({
      code: "session/base-missing",
    });
  }, 120_000);

  it("stops at a store that is full, half of nothing in it, and goes on when there is room", async () => {
    const small = await startOwnRedis(["--maxmemory", "6mb", "--maxmemory-policy", "noeviction"]);
    const client = createClient({ url: small.url });
    try {
      const from = { storage: createMemoryStorage(), location: "memory:" };
      for (let at = 0; at < 12; at++)
        await from.storage.blobs.write(`artifacts/${at}`, new Uint8Array(randomBytes(1_000_000)));
      const to = await openPeer(small.url);
      await expect(transferStores(from, to, { direction: "push" })).rejects.toMatchObject({ code: "storage/full" });
      expect((await verifyStore(to.storage)).faults).toEqual([]);
      await client.connect();
      await client.configSet("maxmemory", "0");
      const { items } = await transferStores(from, to, { direction: "push" });
      expect(items.filter(({ outcome }) => outcome === "failed")).toEqual([]);
      expect((await takeInventory(to.storage, { kinds: ["artifacts"] })).size).toBe(12);
      await to.close();
    } finally {
      if (client.isOpen) await client.close();
      await small.stop();
    }
  }, 120_000);

  it("is brought up to date on purpose, once, and a dry run only counts", async () => {
    const url = `${postgres.url}?schema=${part}_new`;
    expect(await migrateStore(url, { dryRun: true })).toMatchObject({ missing: expect.any(Number), applied: false });
    expect((await migrateStore(url, { dryRun: true })).missing).toBeGreaterThan(0);
    expect(await migrateStore(url)).toMatchObject({ applied: true });
    expect(await migrateStore(url)).toMatchObject({ missing: 0, applied: false });
    expect(await migrateStore(`${redis.url}?prefix=${part}`)).toMatchObject({ missing: 0, applied: false });
  }, 120_000);
});
