import { randomBytes } from "node:crypto";
import type { Storage } from "@artificer/protocol";
import { type OwnService, startOwnRedis } from "@artificer/testkit/services";
import { createClient } from "@redis/client";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openRedisStorage, type RedisStorageOptions } from "../src/open-redis-storage.js";

let server: OwnService;
let admin: ReturnType<typeof createClient>;

beforeAll(async () => {
  server = await startOwnRedis();
  admin = createClient({ url: server.url });
  admin.on("error", () => {});
  await admin.connect();
});

afterAll(async () => {
  admin?.destroy();
  await server?.stop();
});

const newPrefix = () => randomBytes(6).toString("hex");
const large = (digit = "1") => Buffer.alloc(600_000, digit);
const urlAs = (user: string) => `redis://${user}@127.0.0.1:${server.port}`;

async function open(options: Partial<RedisStorageOptions> = {}): Promise<Storage> {
  const storage = await openRedisStorage({ ...(options.client ? {} : { url: server.url }), ...options });
  onTestFinished(() => storage.close());
  return storage;
}

async function anotherServer(settings: string[]): Promise<OwnService> {
  const other = await startOwnRedis(settings);
  onTestFinished(() => other.stop());
  return other;
}

async function text(storage: Storage, key: string): Promise<string | undefined> {
  const blob = await storage.blobs.read(key);
  if (blob === undefined) return undefined;
  let all = "";
  for await (const chunk of blob.bytes) all += Buffer.from(chunk).toString();
  return all;
}

test("storages of two prefixes never see each other, and no key is outside its prefix", async () => {
  const prefix = newPrefix();
  const prefixes = [prefix, `${prefix}:records`, `${prefix}.b`];
  await admin.sendCommand(["FLUSHALL"]);
  const storages = await Promise.all(prefixes.map((one) => open({ prefix: one })));
  for (const [n, storage] of storages.entries()) {
    await storage.records.put("k", { n });
    await storage.blobs.write("small", Buffer.from(String(n)));
    await storage.blobs.write("large", large(String(n)));
  }
  await storages[1]?.records.delete("k");
  await storages[1]?.blobs.delete("large");
  for (const n of [0, 2]) {
    const storage = storages[n] as Storage;
    expect((await storage.records.list("")).items.map(({ value }) => value)).toEqual([{ n }]);
    expect((await storage.blobs.list("")).items.map(({ key }) => key)).toEqual(["large", "small"]);
    expect(await text(storage, "large")).toBe(String(n).repeat(600_000));
  }
  const keys = (await admin.sendCommand(["KEYS", "*"])) as unknown as string[];
  const outside = keys.filter((key) => !prefixes.some((one) => key.startsWith(`{${one}}:`)));
  expect(outside).toEqual([]);
});

test("a client of the user's stays open when the storage is closed, whichever protocol it speaks", async () => {
  for (const RESP of [2, 3] as const) {
    const client = createClient({ url: server.url, RESP, disableOfflineQueue: true });
    client.on("error", () => {});
    await client.connect();
    onTestFinished(() => client.destroy());
    const storage = await openRedisStorage({ client, prefix: newPrefix() });
    await storage.records.put("k", { n: 1 });
    await storage.blobs.write("k", large());
    expect((await storage.records.list("")).items).toHaveLength(1);
    expect(await text(storage, "k")).toHaveLength(600_000);
    expect(await storage.records.delete("none")).toBe(false);
    await storage.close();
    expect(await client.sendCommand(["PING"])).toBe("PONG");
  }
});

test("a server that forgot the scripts is given them again", async () => {
  const storage = await open({ prefix: newPrefix() });
  await storage.records.put("k", { n: 1 });
  await admin.sendCommand(["SCRIPT", "FLUSH"]);
  await storage.records.put("k", { n: 2 });
  expect((await storage.records.get("k"))?.value).toEqual({ n: 2 });
});

test("bytes that were replaced, deleted or never finished go by themselves, after a while that each reading renews", async () => {
  const prefix = newPrefix();
  const storage = await open({ prefix });
  const versions = async () => {
    const keys = (await admin.sendCommand(["KEYS", `{${prefix}}:chunks:*`])) as unknown as string[];
    return Promise.all(keys.map(async (key) => ({ key, ttl: Number(await admin.sendCommand(["TTL", key])) })));
  };
  await storage.blobs.write("k", large());
  expect((await versions()).map(({ ttl }) => ttl)).toEqual([-1]);
  const [first] = await versions();
  const reader = await storage.blobs.read("k");
  await storage.blobs.write("k", large());
  await storage.blobs.write("k", Buffer.from("small"));
  await storage.blobs.write("deleted", large());
  await storage.blobs.delete("deleted");
  expect(await versions()).toHaveLength(3);
  for (const { ttl } of await versions()) expect(ttl).toBeGreaterThan(200);

  const key = first?.key ?? "";
  await admin.sendCommand(["EXPIRE", key, "60"]);
  const bytes = reader?.bytes[Symbol.asyncIterator]();
  expect((await bytes?.next())?.done).toBe(false);
  expect(Number(await admin.sendCommand(["TTL", key]))).toBeGreaterThan(200);

  const late = await storage.blobs.write("late", large());
  const lateReader = await storage.blobs.read("late");
  await storage.blobs.delete("late", { ifRevision: late.revision });
  for (const version of await versions()) await admin.sendCommand(["DEL", version.key]);
  const reading = async () => {
    for await (const _ of lateReader?.bytes ?? []);
  };
  await expect(reading()).rejects.toMatchObject({ code: "storage/conflict", hint: expect.any(String) });
});

test("a write whose unfinished bytes went away becomes nothing", async () => {
  const prefix = newPrefix();
  const storage = await open({ prefix });
  const kept = await storage.blobs.write("k", Buffer.from("whole"));
  async function* source() {
    yield large();
    for (const key of (await admin.sendCommand(["KEYS", `{${prefix}}:chunks:*`])) as unknown as string[])
      await admin.sendCommand(["DEL", key]);
    yield large();
  }
  await expect(storage.blobs.write("k", source())).rejects.toMatchObject({ code: "storage/unavailable" });
  expect(await storage.blobs.stat("k")).toEqual(kept);
});

test("a wrong password, none at all, and a user without the prefix's keys each say what to mend, and no password", async () => {
  const prefix = newPrefix();
  await admin.sendCommand(["ACL", "SETUSER", "elsewhere", "on", ">pass", "~other:*", "+@all"]);
  const guarded = await anotherServer(["--requirepass", "right"]);
  const cases: Array<[string, string]> = [
    [`redis://:secret@127.0.0.1:${guarded.port}`, "redis://USER:PASSWORD"],
    [guarded.url, "redis://USER:PASSWORD"],
    [urlAs("nobody:secret"), "redis://USER:PASSWORD"],
    [urlAs("elsewhere:pass"), "ACL SETUSER"],
    ["redis://user:secret@127.0.0.1:1", "server runs"],
  ];
  for (const [url, hint] of cases) {
    const error: unknown = await openRedisStorage({ url, prefix }).catch((thrown: unknown) => thrown);
    expect(error, url).toMatchObject({
      code: "storage/unavailable",
      message: expect.stringContaining("127.0.0.1"),
      hint: expect.stringContaining(hint),
    });
    expect(String(error)).not.toContain("secret");
  }
  const storage = await open({ url: `redis://:right@127.0.0.1:${guarded.port}` });
  await storage.records.put("k", {});
});

test("a user with the prefix's keys alone can do everything; one that may only read is refused as storage/read-only", async () => {
  const prefix = newPrefix();
  const rights = ["+@all", "-@admin", "-@dangerous"];
  await admin.sendCommand(["ACL", "SETUSER", "own", "on", ">pass", `~{${prefix}}*`, ...rights]);
  const storage = await open({ url: urlAs("own:pass"), prefix });
  await storage.records.put("k", { n: 1 });
  await storage.blobs.write("k", large());
  expect(await text(storage, "k")).toHaveLength(600_000);
  expect((await storage.blobs.list("")).items).toHaveLength(1);
  expect(await storage.blobs.delete("k")).toBe(true);
  await storage.blobs.write("k", large());

  const readOnly = ["+@read", "+@connection", "+@scripting"];
  await admin.sendCommand(["ACL", "SETUSER", "reader", "on", ">pass", `~{${prefix}}*`, ...readOnly]);
  const reader = await open({ url: urlAs("reader:pass"), prefix });
  expect((await reader.records.get("k"))?.value).toEqual({ n: 1 });
  const blob = await reader.blobs.read("k");
  await storage.blobs.write("k", large("2"));
  const chunks: Uint8Array[] = [];
  for await (const chunk of blob?.bytes ?? []) chunks.push(chunk);
  expect(Buffer.concat(chunks).equals(large())).toBe(true);
  const refused = { code: "storage/read-only", hint: expect.stringContaining("ACL SETUSER") };
  await expect(reader.records.put("k", { n: 2 })).rejects.toMatchObject(refused);
  await expect(reader.blobs.write("k", large())).rejects.toMatchObject(refused);
  await expect(reader.records.delete("k")).rejects.toMatchObject(refused);
  expect((await storage.records.get("k"))?.value).toEqual({ n: 1 });
});

test("a replica is read from and refuses writes as storage/read-only", async () => {
  const prefix = newPrefix();
  await (await open({ prefix })).records.put("k", { n: 1 });
  const replica = await anotherServer(["--replicaof", `127.0.0.1 ${server.port}`]);
  const storage = await open({ url: replica.url, prefix });
  await expect(storage.records.put("k", {})).rejects.toMatchObject({
    code: "storage/read-only",
    hint: expect.stringContaining("primary"),
  });
  while ((await storage.records.get("k")) === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
});

test("a server without memory left is storage/full; nothing is half-written, and deleting makes room again", async () => {
  const small = await anotherServer(["--maxmemory", "8mb"]);
  const storage = await open({ url: small.url });
  await storage.records.put("kept", { n: 1 });
  await storage.blobs.write("kept", large());
  const refused = { code: "storage/full", hint: expect.stringContaining("maxmemory") };
  const fill = async () => {
    for (let n = 0; n < 100; n++) await storage.blobs.write(`fill/${n}`, Buffer.alloc(200_000));
  };
  await expect(fill()).rejects.toMatchObject(refused);
  await expect(storage.blobs.write("kept", large("2"))).rejects.toMatchObject(refused);
  const put = async () => {
    for (let n = 0; n < 1_000; n++) await storage.records.put("kept", { filler: "x".repeat(100_000) });
  };
  await storage.records.delete("kept");
  await expect(put().then(() => fill())).rejects.toMatchObject(refused);
  expect(await text(storage, "kept")).toBe("1".repeat(600_000));
  for (const { key } of (await storage.blobs.list("fill/")).items) await storage.blobs.delete(key);
  await storage.blobs.write("kept", large("3"));
  expect(await text(storage, "kept")).toBe("3".repeat(600_000));
});

test("a server that throws keys away to make room is storage/unsupported", async () => {
  const evicting = await anotherServer(["--maxmemory", "50mb", "--maxmemory-policy", "allkeys-lru"]);
  await expect(openRedisStorage({ url: evicting.url })).rejects.toMatchObject({
    code: "storage/unsupported",
    message: expect.stringContaining("allkeys-lru"),
    hint: expect.stringContaining("noeviction"),
  });
});

test("more calls than may wait at once are refused, and the others are served", async () => {
  const storage = await open({ prefix: newPrefix(), maxQueue: 20 });
  const calls = Array.from({ length: 200 }, (_, n) => storage.records.put(`k/${n}`, { n }));
  const results = await Promise.allSettled(calls);
  const refused = results.filter((result) => result.status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  for (const { reason } of refused)
    expect(reason).toMatchObject({ code: "storage/unavailable", hint: expect.any(String) });
  expect((await storage.records.list("")).items).toHaveLength(200 - refused.length);
});

test("options that can't be are refused by name", async () => {
  const unconnected = createClient({ url: server.url });
  const queueing = createClient({ url: server.url });
  queueing.on("error", () => {});
  await queueing.connect();
  onTestFinished(() => queueing.destroy());
  const wrong: Array<[unknown, string]> = [
    [{}, "`url` or `client`"],
    [{ url: server.url, client: admin }, "`url` or `client`"],
    [{ url: "http://user:secret@host" }, "redis://"],
    [{ url: "secret" }, "redis://"],
    [{ url: server.url, prefix: "a{b" }, "prefix"],
    [{ url: server.url, prefix: "" }, "prefix"],
    [{ url: server.url, waitMs: 0 }, "waitMs"],
    [{ client: admin, maxQueue: 5 }, "maxQueue"],
    [{ client: queueing }, "keeps commands"],
    [{ client: unconnected }, "connect()"],
  ];
  for (const [options, named] of wrong) {
    const error: unknown = await openRedisStorage(options as RedisStorageOptions).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "usage/invalid-argument", message: expect.stringContaining(named) });
    expect(String(error)).not.toContain("secret");
  }
});

test("on a disk that is full writes are refused with a hint, and what was acknowledged is there when there is room again", async (context) => {
  context.skip(process.getuid?.() !== 0, "only root can mount a small disk");
  const small = await startOwnRedis(["--appendfsync", "everysec"], { smallDiskMegabytes: 6 });
  onTestFinished(() => small.stop());
  const storage = await open({ url: small.url });
  let written = 0;
  const fill = async () => {
    for (; written < 200; written++) await storage.blobs.write(`fill/${written}`, randomBytes(100_000));
  };
  await expect(fill()).rejects.toMatchObject({ code: "storage/read-only", hint: expect.stringContaining("disk") });
  const { items } = await storage.blobs.list("fill/");
  expect(items.length).toBeGreaterThanOrEqual(written);
  for (const { key, size } of items) {
    expect(size).toBe(100_000);
    expect((await text(storage, key))?.length).toBeGreaterThan(0);
  }
  await expect(storage.records.put("k", {})).rejects.toMatchObject({ code: "storage/read-only" });
  await expect(storage.leases?.acquire("k", { ttlMs: 1_000 })).rejects.toMatchObject({ code: "storage/read-only" });
}, 60_000);

test("a user of the prefix alone, who may publish nothing, reads, writes and leases; with the channels he is listened to as well", async () => {
  const prefix = newPrefix();
  const rules = ["on", "nopass", "resetkeys", "resetchannels", `~{${prefix}}*`, "+@all", "-@admin", "-@dangerous"];
  await admin.sendCommand(["ACL", "SETUSER", prefix, ...rules]);
  const storage = await open({ url: urlAs(`${prefix}:any`), prefix });
  const before = await storage.watch?.version("k/");
  await storage.records.put("k/1", { n: 1 });
  await storage.blobs.write("k/large", large());
  expect(await storage.watch?.version("k/")).not.toBe(before);
  expect(await storage.leases?.acquire("k", { ttlMs: 1_000 })).toEqual({ key: "k", token: 1 });
  await expect(storage.watch?.subscribe("k/", () => {})).rejects.toMatchObject({
    code: "storage/unavailable",
    hint: expect.stringContaining("channels"),
  });
  await admin.sendCommand(["ACL", "SETUSER", prefix, `&{${prefix}}*`]);
  let heard = 0;
  await storage.watch?.subscribe("k/", () => heard++);
  for (let n = 0; heard === 0; n++) {
    await storage.records.put("k/1", { n });
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
});
