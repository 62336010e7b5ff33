import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Storage } from "@artificer/protocol";
import { type OwnService, startOwnPostgres } from "@artificer/testkit/services";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openPostgresStorage } from "../src/open/open-postgres-storage.js";

const isRoot = process.getuid?.() === 0;
let server: OwnService & { folder: string };
let admin: pg.Pool;

beforeAll(async () => {
  server = await startOwnPostgres({ smallDiskMegabytes: isRoot ? 24 : undefined });
  admin = new pg.Pool({ connectionString: server.url });
});
afterAll(async () => {
  await admin?.end();
  await server?.stop();
});

async function open(url = server.url): Promise<Storage> {
  const storage = await openPostgresStorage({ url, schema: "artificer_trouble" });
  onTestFinished(() => storage.close());
  return storage;
}

test("transactions that the server aborts, by cancelling statements and ending connections, are refused whole [P8]", async () => {
  const storage = await open();
  let writing = true;
  const trouble = (async () => {
    for (let round = 0; writing; round++) {
      const end = round % 2 === 0 ? "pg_cancel_backend" : "pg_terminate_backend";
      await admin.query(`SELECT ${end}(pid) FROM pg_stat_activity WHERE application_name = 'artificer'`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  let refused = 0;
  const writer = async (name: string) => {
    let known = 0;
    for (let n = 1; n <= 60; n++) {
      const value = { n, filler: String(n).repeat(2_000) };
      try {
        await storage.records.put(name, value);
        await storage.blobs.write(name, Buffer.alloc(400_000, String(n % 10)), { metadata: { n } });
        known = n;
      } catch (error) {
        expect(error).toMatchObject({ code: "storage/unavailable", hint: expect.any(String) });
        refused++;
      }
    }
    return known;
  };
  const known = await Promise.all(["a", "b", "c"].map(writer));
  writing = false;
  await trouble;
  const calm = await open();
  for (const [index, name] of ["a", "b", "c"].entries()) {
    const n = Number((await calm.records.get(name))?.value.n);
    expect(n).toBeGreaterThanOrEqual(known[index] ?? 0);
    expect((await calm.records.get(name))?.value.filler).toBe(String(n).repeat(2_000));
    const blob = await calm.blobs.read(name);
    expect(Number(blob?.info.metadata.n)).toBeGreaterThanOrEqual(known[index] ?? 0);
    let size = 0;
    for await (const chunk of blob?.bytes ?? []) {
      expect(Buffer.from(chunk).every((byte) => byte === 48 + (Number(blob?.info.metadata.n) % 10))).toBe(true);
      size += chunk.byteLength;
    }
    expect(size).toBe(400_000);
  }
  expect(refused, "the trouble reached nobody").toBeGreaterThan(0);
}, 120_000);

test("a write waits for another's transaction on the same row, and goes through when that is rolled back", async () => {
  const storage = await open();
  await storage.records.put("row", { n: 1 });
  const other = await admin.connect();
  try {
    await other.query("BEGIN");
    await other.query(`UPDATE artificer_trouble.records SET value = '{"n":99}' WHERE key = 'row'`);
    const writing = storage.records.put("row", { n: 2 });
    await other.query("ROLLBACK");
    await writing;
  } finally {
    other.release();
  }
  expect((await storage.records.get("row"))?.value).toEqual({ n: 2 });
});

test("a disk that is full is storage/full; what was acknowledged stays, and with room again it goes on", async (context) => {
  context.skip(!isRoot, "only root can mount a small disk");
  await admin.query(`CREATE TABLESPACE small LOCATION '${join(server.folder, "small")}'`);
  await admin.query("CREATE DATABASE full_up TABLESPACE small");
  const url = server.url.replace(/\/postgres$/, "/full_up");
  const storage = await open(url);
  const inDatabase = async (statement: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await inDatabase("CREATE TABLE ballast AS SELECT md5(n::text) FROM generate_series(1, 60000) n");
  await storage.blobs.write("kept", Buffer.from("kept"));
  const filler = () => randomBytes(200_000);
  let written = 0;
  const fill = async () => {
    for (; ; written++) await storage.blobs.write(`fill/${written}`, filler());
  };
  await expect(fill()).rejects.toMatchObject({ code: "storage/full", hint: expect.any(String) });
  expect(written).toBeGreaterThan(3);
  await expect(storage.blobs.write("kept", Buffer.alloc(4_000_000))).rejects.toMatchObject({ code: "storage/full" });
  const { items } = await storage.blobs.list("");
  expect(items.map(({ key }) => key).sort()).toEqual(
    [...Array.from({ length: written }, (_, n) => `fill/${n}`), "kept"].sort(),
  );
  expect(items.find(({ key }) => key === "kept")?.size).toBe(4);
  await inDatabase("DROP TABLE ballast");
  await storage.blobs.write("kept", filler());
}, 120_000);
