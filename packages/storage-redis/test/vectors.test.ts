import { randomBytes } from "node:crypto";
import type { Storage, VectorStore } from "@artificer/protocol";
import { findRedisServers, type OwnService, startOwnRedis } from "@artificer/testkit/services";
import { createClient } from "@redis/client";
import { afterAll, beforeAll, expect, onTestFinished, type TestContext, test as vitestTest } from "vitest";
import { openRedisStorage, type RedisStorageOptions } from "../src/open-redis-storage.js";

const found = (await findRedisServers()).find(({ kind }) => kind === "Redis with vector sets");
const program = found !== undefined && "program" in found ? found.program : undefined;
let server: OwnService;
let admin: ReturnType<typeof createClient>;

beforeAll(async () => {
  if (program === undefined) return;
  server = await startOwnRedis([], { program });
  admin = await connect(server);
});
afterAll(async () => {
  admin?.destroy();
  await server?.stop();
});

/** What is here needs a server that has vector sets. */
function test(title: string, run: () => Promise<void>): void {
  vitestTest(title, { timeout: 120_000 }, async (context: TestContext) => {
    context.skip(program === undefined, found !== undefined && "reason" in found ? found.reason : "");
    await run();
  });
}

async function connect({ url }: { url: string }, RESP: 2 | 3 = 2) {
  const client = createClient({ url, RESP, disableOfflineQueue: true });
  client.on("error", () => {});
  await client.connect();
  return client as ReturnType<typeof createClient>;
}

async function another(settings: string[]): Promise<OwnService> {
  const other = await startOwnRedis(settings, { program });
  onTestFinished(() => other.stop());
  return other;
}

const newPrefix = () => randomBytes(6).toString("hex");

async function open(options: Partial<RedisStorageOptions> = {}): Promise<Storage & { vectors: VectorStore }> {
  const where = options.url === undefined && options.client === undefined ? { url: server.url } : {};
  const storage = await openRedisStorage({ prefix: newPrefix(), ...where, ...options });
  onTestFinished(() => storage.close());
  expect(storage.capabilities.vectors).toBe(storage.vectors !== undefined);
  return storage as Storage & { vectors: VectorStore };
}

/** The same each time for the same number. */
function vectorOf(seed: number, dimensions: number): Float32Array {
  let state = seed * 7_919 + 1;
  const raw = Float32Array.from({ length: dimensions }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 1_073_741_823 - 1;
  });
  const length = Math.hypot(...raw);
  return raw.map((number) => number / length);
}

const entriesOf = (count: number, dimensions: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ id: `v${at}`, vector: vectorOf(from + at, dimensions) }));

test("vectors that were put again outlive a crash, a rewritten append-only file, and reach a replica [P8]", async () => {
  const own = await another([]);
  const prefix = newPrefix();
  const { vectors } = await open({ url: own.url, prefix });
  await vectors.put("s", entriesOf(50, 24));
  await vectors.put("s", entriesOf(50, 24, 1_000));
  await vectors.delete("s", ["v49"]);
  const replica = await another(["--replicaof", `127.0.0.1 ${own.port}`]);
  const asExpected = async (store: VectorStore) => {
    expect(await store.count("s")).toBe(49);
    for (const at of [0, 20, 48]) {
      const [best] = await store.nearest("s", vectorOf(1_000 + at, 24), { limit: 1 });
      expect(best?.id).toBe(`v${at}`);
      expect(best?.score).toBeCloseTo(1, 5);
    }
  };
  const copied = await open({ url: replica.url, prefix });
  while ((await copied.vectors.count("s")) !== 49) await new Promise((resolve) => setTimeout(resolve, 20));
  await asExpected(copied.vectors);
  await vectors.put("s", entriesOf(10, 24, 2_000));
  while (((await copied.vectors.nearest("s", vectorOf(2_009, 24), { limit: 1 }))[0]?.score ?? 0) < 0.999)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await copied.vectors.count("s")).toBe(49);
  await expect(copied.vectors.put("s", entriesOf(1, 24))).rejects.toMatchObject({ code: "storage/read-only" });

  await vectors.put("s", entriesOf(10, 24, 1_000));
  for (const rewrite of [false, true]) {
    if (rewrite) {
      const owner = await connect(own);
      await owner.sendCommand(["BGREWRITEAOF"]);
      while (!String(await owner.sendCommand(["INFO", "persistence"])).includes("aof_rewrite_in_progress:0"))
        await new Promise((resolve) => setTimeout(resolve, 20));
      owner.destroy();
    }
    await own.restart({ crash: true });
    await asExpected((await open({ url: own.url, prefix })).vectors);
  }
});

test("sets of two prefixes never see each other, and lie under their prefix alone [P8]", async () => {
  await admin.sendCommand(["FLUSHALL"]);
  const prefix = newPrefix();
  const prefixes = [prefix, `${prefix}:vectors`, `${prefix}.b`];
  const storages = await Promise.all(prefixes.map((one) => open({ prefix: one })));
  for (const [n, { vectors }] of storages.entries()) await vectors.put("m/one", entriesOf(n + 1, 8));
  expect(await storages[1]?.vectors.drop("m/one")).toBe(true);
  expect(await storages[0]?.vectors.count("m/one")).toBe(1);
  expect(await storages[2]?.vectors.nearest("m/one", vectorOf(1, 8))).toHaveLength(3);
  const all = (await admin.sendCommand(["KEYS", "*"])) as unknown as string[];
  expect(all.sort()).toEqual([`{${prefix}.b}:vectors:m/one`, `{${prefix}}:vectors:m/one`]);
});

test("a user of the prefix alone ranks vectors; one that may only read is refused; one without the commands does without, and is told [P8]", async () => {
  const prefix = newPrefix();
  const as = async (name: string, ...rights: string[]) => {
    await admin.sendCommand(["ACL", "SETUSER", name, "on", ">pass", "resetkeys", `~{${prefix}}*`, ...rights]);
    return open({ url: `redis://${name}:pass@127.0.0.1:${server.port}`, prefix });
  };
  const owner = await as("owner", "+@all", "-@admin", "-@dangerous");
  await owner.vectors.put("s", entriesOf(20, 8));
  await owner.vectors.put("s", entriesOf(20, 8));
  expect(await owner.vectors.delete("s", ["v19"])).toBe(1);
  // Commands of vector sets are in no category.
  const reading = ["+@read", "+@connection", "+@scripting"];
  const reader = await as("reader", ...reading, "+vcard", "+vsim", "+vemb", "+vdim");
  expect((await reader.vectors.nearest("s", vectorOf(3, 8), { limit: 1 }))[0]?.id).toBe("v3");
  expect(await reader.vectors.missing("s", ["v19", "v1"])).toEqual(["v19"]);
  expect((await reader.vectors.get("s", ["v1"])).size).toBe(1);
  const refused = { code: "storage/read-only", hint: expect.stringContaining("ACL SETUSER") };
  await expect(reader.vectors.put("s", entriesOf(1, 8))).rejects.toMatchObject(refused);
  await expect(reader.vectors.delete("s", ["v0"])).rejects.toMatchObject(refused);
  await expect(reader.vectors.drop("s")).rejects.toMatchObject(refused);
  const without = await as("without", ...reading);
  expect(without.capabilities.vectors).toBe(false);
  expect(without.notices).toEqual([expect.stringContaining("may not use its vector sets")]);
  expect(await without.records.get("k")).toBeUndefined();
});

test("clients of either protocol get the same [P8]", async () => {
  const prefix = newPrefix();
  const results = [];
  for (const RESP of [2, 3] as const) {
    const client = await connect(server, RESP);
    onTestFinished(() => client.destroy());
    const { vectors } = await open({ client, prefix });
    // Ids that are numbers would change places in an object.
    await vectors.put("s", [
      { id: "2", vector: vectorOf(2, 8) },
      { id: "1", vector: vectorOf(1, 8) },
      { id: "__proto__", vector: vectorOf(3, 8) },
    ]);
    const hits = await vectors.nearest("s", vectorOf(2, 8));
    expect(hits[0]?.id).toBe("2");
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
    const numbers = (await vectors.get("s", ["__proto__"])).get("__proto__");
    const rounded = hits.map(({ id, score }) => [id, score.toFixed(6)]);
    results.push({
      rounded,
      numbers,
      missing: await vectors.missing("s", ["2", "none"]),
      count: await vectors.count("s"),
    });
  }
  expect(results[1]).toEqual(results[0]);
});

test("a set too large to be scanned is searched by its graph, and still gives nearly all of the nearest, and as many as are asked for [P8]", async () => {
  const { vectors } = await open();
  const entries = entriesOf(10_200, 16);
  await vectors.put("s", entries);
  expect(await vectors.count("s")).toBe(10_200);
  let hit = 0;
  for (let query = 0; query < 30; query++) {
    const wanted = vectorOf(50_000 + query, 16);
    const cosineOf = (vector: Float32Array) => vector.reduce((sum, number, at) => sum + number * wanted[at]!, 0);
    const exact = entries.map(({ id, vector }) => ({ id, score: cosineOf(vector) }));
    const best = new Set(
      exact
        .sort((left, right) => right.score - left.score)
        .slice(0, 10)
        .map(({ id }) => id),
    );
    hit += (await vectors.nearest("s", wanted)).filter(({ id }) => best.has(id)).length;
  }
  expect(hit / 300).toBeGreaterThan(0.95);
  expect(await vectors.nearest("s", vectorOf(1, 16), { limit: 10_000 })).toHaveLength(10_000);
  // Small again, by other hands: all of it is given.
  await vectors.drop("s");
  await vectors.put("s", entries.slice(0, 5));
  expect(await vectors.nearest("s", vectorOf(1, 16))).toHaveLength(5);
});

test("sets that are changed, emptied and dropped while they are searched give what was there, and nothing else [P8]", async () => {
  const prefix = newPrefix();
  const [mine, theirs] = [await open({ prefix }), await open({ prefix })];
  const entries = entriesOf(300, 32);
  await mine.vectors.put("s", entries);
  const ids = new Set(entries.map(({ id }) => id));
  let searching = true;
  const searches = (async () => {
    let found = 0;
    for (let query = 0; searching; query++) {
      const hits = await mine.vectors.nearest("s", vectorOf(query % 300, 32), { limit: 300 });
      for (const { id, score } of hits) expect(ids.has(id) && Math.abs(score) <= 1).toBe(true);
      found += hits.length;
    }
    return found;
  })();
  for (let round = 0; round < 12; round++) {
    await theirs.vectors.delete("s", [...ids].slice(0, 200));
    await theirs.vectors.put("s", entries);
    if (round % 3 === 0) await theirs.vectors.delete("s", [...ids]);
    if (round % 3 === 1) await theirs.vectors.drop("s");
  }
  await theirs.vectors.put("s", entries);
  searching = false;
  expect(await searches).toBeGreaterThan(0);
  expect(await mine.vectors.nearest("s", vectorOf(5, 32), { limit: 300 })).toHaveLength(300);
});

test("a server without memory left refuses vectors as storage/full and keeps those that it had; deleting makes room [P8]", async () => {
  const small = await another(["--maxmemory", "8mb"]);
  const { vectors } = await open({ url: small.url });
  const kept = entriesOf(20, 256);
  await vectors.put("kept", kept);
  const full = { code: "storage/full", hint: expect.stringContaining("maxmemory") };
  const fill = async () => {
    for (let n = 0; n < 100; n++) await vectors.put(`fill/${n}`, entriesOf(100, 256));
  };
  await expect(fill()).rejects.toMatchObject(full);
  await expect(vectors.put("kept", entriesOf(20, 256, 500))).rejects.toMatchObject(full);
  expect(await vectors.count("kept")).toBe(20);
  expect((await vectors.nearest("kept", kept[7]?.vector as Float32Array))[0]).toMatchObject({ id: "v7" });
  expect(await vectors.drop("fill/0")).toBe(true);
  expect(await vectors.drop("fill/1")).toBe(true);
  while (true) {
    // What is dropped is freed by and by.
    const again = await vectors.put("kept", entriesOf(20, 256, 500)).catch((error: unknown) => error);
    if (again === undefined) break;
    expect(again).toMatchObject(full);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect((await vectors.nearest("kept", vectorOf(507, 256)))[0]).toMatchObject({ id: "v7" });
});

test("vectors: false leaves them to the memory of each process", async () => {
  const { vectors, notices } = await open({ vectors: false });
  expect(vectors).toBeUndefined();
  expect(notices).toEqual([]);
});
