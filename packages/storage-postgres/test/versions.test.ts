import { randomBytes } from "node:crypto";
import type { Storage } from "@artificer/protocol";
import { type OwnService, startOwnPostgres } from "@artificer/testkit/services";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openPostgresStorage } from "../src/open/open-postgres-storage.js";

// A server of its own: what anybody commits there makes every version be looked up anew.
let server: OwnService;
let admin: pg.Pool;

beforeAll(async () => {
  server = await startOwnPostgres();
  admin = openPool();
});

afterAll(async () => {
  await admin?.end();
  await server?.stop();
});

/** What idle connections tell of when the server crashes is nobody's business. */
function openPool(): pg.Pool {
  return new pg.Pool({ connectionString: server.url }).on("error", () => {});
}

/** A storage, and of each question that its versions cost whether it made the server look at the rows. */
async function openWatched(): Promise<{ storage: Storage; looks: boolean[]; schema: string }> {
  const schema = `v_${randomBytes(6).toString("hex")}`;
  const pool = openPool();
  const looks: boolean[] = [];
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<pg.QueryResult>;
  pool.query = (async (...args: unknown[]) => {
    const result = await query(...args);
    const names = result.fields?.map((field) => field.name) ?? [];
    if (names.includes("sight")) looks.push(names.includes("version"));
    return result;
  }) as unknown as typeof pool.query;
  const storage = await openPostgresStorage({ pool, schema });
  onTestFinished(async () => {
    await storage.close();
    await pool.end();
  });
  // The housekeeping of an opening is over with the first write that comes after it.
  await storage.blobs.write("a/blob", Buffer.from("one"));
  return { storage, looks, schema };
}

const version = (storage: Storage, prefix: string) => storage.watch?.version(prefix);

/** Asks until the server found that nothing was committed since: its own housekeeping commits too, now and then. */
async function quietVersion({ storage, looks }: { storage: Storage; looks: boolean[] }, prefix: string) {
  for (;;) {
    const found = await version(storage, prefix);
    if (looks.at(-1) === false) return found;
  }
}

test("a version costs no look at the rows while the server committed nothing, and a look when it did, whoever it was", async () => {
  const watched = await openWatched();
  const { storage, looks, schema } = watched;
  const first = await quietVersion(watched, "a/");
  await admin.query(`UPDATE ${schema}.blobs SET revision = 'by hand'`);
  looks.length = 0;
  const second = await version(storage, "a/");
  expect(looks).toEqual([false, true]);
  expect(second).not.toBe(first);
  expect(await quietVersion(watched, "a/")).toBe(second);
});

test("each prefix has its own version, and none is taken for another's", async () => {
  const watched = await openWatched();
  const { storage } = watched;
  await storage.records.put("b/r", { n: 1 });
  const [a, b, all] = [
    await quietVersion(watched, "a/"),
    await quietVersion(watched, "b/"),
    await quietVersion(watched, ""),
  ];
  expect(new Set([a, b, all]).size).toBe(3);
  await storage.records.put("b/r", { n: 1 });
  expect(await version(storage, "a/")).toBe(a);
  expect(await version(storage, "b/")).not.toBe(b);
  expect(await version(storage, "")).not.toBe(all);
  // More than are remembered.
  for (let n = 0; n < 120; n++) await version(storage, `many/${n}/`);
  expect(await version(storage, "a/")).toBe(a);
});

test("versions that are asked for at once cost one question together, and are each the one of its prefix", async () => {
  const watched = await openWatched();
  const { storage, looks } = watched;
  await storage.records.put("b/r", { n: 1 });
  const ask = () => Promise.all(["a/", "b/", ""].map((prefix) => version(storage, prefix)));
  const first = await ask();
  expect(new Set(first).size).toBe(3);
  for (;;) {
    looks.length = 0;
    expect(await ask()).toEqual(first);
    // Until nothing was committed by the server itself in between.
    if (!looks.includes(true)) break;
  }
  expect(looks).toEqual([false]);
});

test("transactions that overlap are seen when each commits, in whatever order, and not before", async () => {
  const watched = await openWatched();
  const { storage, schema } = watched;
  const clients = await Promise.all([admin.connect(), admin.connect(), admin.connect()]);
  onTestFinished(() => {
    for (const client of clients) client.release();
  });
  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
    [1, 0, 2],
  ]) {
    const had = new Set([await quietVersion(watched, "a/")]);
    for (const [at, client] of clients.entries()) {
      await client.query("BEGIN");
      await client.query(
        `INSERT INTO ${schema}.records (tenant, key, revision, value) VALUES ('default', $1, $2, '{}')`,
        [`a/${order}-${at}`, randomBytes(6).toString("hex")],
      );
      expect(had).toContain(await version(storage, "a/"));
    }
    for (const at of order) {
      await clients[at]?.query(at === 1 ? "COMMIT" : "SAVEPOINT s; RELEASE s; COMMIT");
      const found = await version(storage, "a/");
      expect(had).not.toContain(found);
      had.add(found);
      expect(await quietVersion(watched, "a/")).toBe(found);
    }
  }
});

test("after a crash of the server, versions are looked up anew", async () => {
  const watched = await openWatched();
  const { storage, looks } = watched;
  const before = await quietVersion(watched, "a/");
  await server.restart({ crash: true });
  // The first calls may meet connections that were lost.
  let after: string | undefined;
  while (after === undefined) after = await version(storage, "a/")?.catch(() => undefined);
  expect(looks.at(-1)).toBe(true);
  expect(after).toBe(before);
});
