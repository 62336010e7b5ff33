import { randomBytes } from "node:crypto";
import type { Storage } from "@artificer/protocol";
import { type OwnService, startOwnPostgres } from "@artificer/testkit/services";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openPostgresStorage, type PostgresStorageOptions } from "../src/open/open-postgres-storage.js";
import { postgresError } from "../src/postgres-error.js";

let server: OwnService;
let admin: pg.Pool;

beforeAll(async () => {
  server = await startOwnPostgres();
  admin = new pg.Pool({ connectionString: server.url });
});

afterAll(async () => {
  await admin?.end();
  await server?.stop();
});

const newName = (kind: string) => `${kind}_${randomBytes(6).toString("hex")}`;
const large = () => Buffer.alloc(600_000, "1");
const urlAs = (user: string, database = "postgres") => `postgres://${user}@127.0.0.1:${server.port}/${database}`;

async function open(options: Partial<PostgresStorageOptions> = {}): Promise<Storage> {
  const storage = await openPostgresStorage({ ...(options.pool ? {} : { url: server.url }), ...options });
  onTestFinished(() => storage.close());
  return storage;
}

async function text(storage: Storage, key: string): Promise<string | undefined> {
  const blob = await storage.blobs.read(key);
  if (blob === undefined) return undefined;
  let all = "";
  for await (const chunk of blob.bytes) all += Buffer.from(chunk).toString();
  return all;
}

test("twelve that open a fresh schema at once migrate it once, and all of them work", async () => {
  const schema = newName("fresh");
  const storages = await Promise.all(Array.from({ length: 12 }, () => open({ schema, maxConnections: 2 })));
  await Promise.all(storages.map((storage, n) => storage.records.put(`r/${n}`, { n })));
  expect((await storages[0]?.records.list("r/"))?.items).toHaveLength(12);
  expect((await admin.query(`SELECT hash FROM ${schema}.migrations`)).rows).toHaveLength(2);
});

test("without leave to migrate, missing tables are refused with the way to mend it, and nothing is made", async () => {
  const schema = newName("none");
  await expect(open({ schema, migrate: false })).rejects.toMatchObject({
    code: "storage/unavailable",
    message: expect.stringContaining(schema),
    hint: expect.stringContaining("migrate: true"),
  });
  expect((await admin.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema])).rows).toEqual([]);
  await open({ schema });
  expect(await (await open({ schema, migrate: false })).records.get("k")).toBeUndefined();
});

test("a schema that a later release made is storage/unsupported and left alone", async () => {
  const schema = newName("later");
  await open({ schema });
  await admin.query(`INSERT INTO ${schema}.migrations (hash, created_at) VALUES ('from the future', 1)`);
  for (const migrate of [true, false]) {
    await expect(open({ schema, migrate })).rejects.toMatchObject({
      code: "storage/unsupported",
      hint: expect.stringContaining("Update"),
    });
  }
});

test("a migration that fails half-way leaves nothing of itself, and the next opening does it whole", async () => {
  const schema = newName("half");
  await admin.query(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.records (other text)`);
  await expect(open({ schema })).rejects.toMatchObject({ code: "storage/unavailable" });
  const tables = await admin.query("SELECT tablename FROM pg_tables WHERE schemaname = $1", [schema]);
  expect(tables.rows).toEqual([{ tablename: "records" }]);
  await admin.query(`DROP TABLE ${schema}.records`);
  await (await open({ schema })).records.put("k", {});
});

test("tenants of one schema, and schemas of one database, never see each other", async () => {
  const schema = newName("shared");
  const all = [
    await open({ schema, tenant: "a" }),
    await open({ schema, tenant: "a/b" }),
    await open({ schema: newName("own"), tenant: "a" }),
  ];
  for (const [n, storage] of all.entries()) {
    await storage.records.put("k", { n });
    await storage.blobs.write("k", Buffer.alloc(600_000, String(n)));
  }
  await all[1]?.records.delete("k");
  await all[1]?.blobs.delete("k");
  for (const n of [0, 2]) {
    const storage = all[n] as Storage;
    expect((await storage.records.list("")).items.map(({ value }) => value)).toEqual([{ n }]);
    expect((await storage.blobs.list("")).items).toHaveLength(1);
    expect(await text(storage, "k")).toBe(String(n).repeat(600_000));
  }
  expect((await all[1]?.records.list(""))?.items).toEqual([]);
});

test("a pool of the user's stays open when the storage is closed", async () => {
  const storage = await openPostgresStorage({ pool: admin });
  await storage.records.put("pool", { n: 1 });
  await storage.close();
  expect((await admin.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
});

test("close waits for what is under way, and a reader that is not done is told", async () => {
  const storage = await openPostgresStorage({ url: server.url });
  await storage.blobs.write("close", Buffer.alloc(4_000_000));
  const blob = await storage.blobs.read("close");
  const writing = storage.records.put("close", { n: 1 });
  await storage.close();
  expect(await writing).toEqual(expect.any(String));
  const reading = async () => {
    for await (const _ of blob?.bytes ?? []);
  };
  await expect(reading()).rejects.toMatchObject({
    code: "storage/closed",
    hint: expect.stringContaining("openPostgresStorage"),
  });
});

test("options that can't be are refused by name", async () => {
  const wrong: Array<[unknown, string]> = [
    [{}, "`url` or `pool`"],
    [{ url: server.url, pool: admin }, "`url` or `pool`"],
    [{ url: "mysql://user:secret@host/db" }, "postgres://"],
    [{ url: "not a url, secret" }, "postgres://"],
    [{ pool: admin, statementTimeoutMs: 5 }, "statementTimeoutMs"],
    [{ url: server.url, statementTimeoutMs: 0 }, "statementTimeoutMs"],
    [{ url: server.url, schema: 'a"b' }, "schema"],
    [{ url: server.url, schema: "public" }, "schema"],
    [{ url: server.url, tenant: "" }, "tenant"],
    [{ url: server.url, tenant: "a\u0000b" }, "tenant"],
  ];
  for (const [options, named] of wrong) {
    const error: unknown = await openPostgresStorage(options as PostgresStorageOptions).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: "usage/invalid-argument", message: expect.stringContaining(named) });
    expect(String(error)).not.toContain("secret");
  }
});

test("a server that is not there, a database that is not, and a role that is not, each say what to mend, and no password", async () => {
  const cases: Array<[string, string]> = [
    ["postgres://user:secret@127.0.0.1:1/db", "server runs"],
    [urlAs("postgres:secret", "nowhere"), "createdb"],
    [urlAs("nobody:secret"), "user or password"],
  ];
  for (const [url, hint] of cases) {
    const error: unknown = await openPostgresStorage({ url }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "storage/unavailable",
      message: expect.stringContaining("127.0.0.1"),
      hint: expect.stringContaining(hint),
    });
    expect(String(error)).not.toContain("secret");
  }
});

test("a database of another encoding is refused with the command that makes one", async () => {
  const database = newName("latin");
  await admin.query(`CREATE DATABASE ${database} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
  await expect(open({ url: urlAs("postgres", database) })).rejects.toMatchObject({
    code: "storage/unsupported",
    message: expect.stringContaining("LATIN1"),
    hint: expect.stringContaining("createdb --encoding UTF8"),
  });
});

test("a role that may only read, and a server that only reads, are read from and refuse writes as storage/read-only", async () => {
  const schema = newName("readable");
  const role = newName("reader");
  const storage = await open({ schema });
  await storage.records.put("k", { n: 1 });
  await storage.blobs.write("small", Buffer.from("small"));
  await admin.query(`CREATE ROLE ${role} LOGIN; GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
  await admin.query(`GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${role}`);
  const standby = new pg.Pool({ connectionString: server.url, options: "-c default_transaction_read_only=on" });
  onTestFinished(() => standby.end());
  for (const reader of [await open({ schema, url: urlAs(role) }), await open({ schema, pool: standby })]) {
    expect((await reader.records.get("k"))?.value).toEqual({ n: 1 });
    expect(await text(reader, "small")).toBe("small");
    const refused = { code: "storage/read-only", hint: expect.any(String) };
    await expect(reader.records.put("k", { n: 2 })).rejects.toMatchObject(refused);
    await expect(reader.records.delete("k")).rejects.toMatchObject(refused);
    await expect(reader.blobs.write("small", Buffer.from("other"))).rejects.toMatchObject(refused);
    await expect(reader.blobs.write("large", large())).rejects.toMatchObject(refused);
    await expect(reader.blobs.delete("small")).rejects.toMatchObject(refused);
  }
  expect((await storage.records.get("k"))?.value).toEqual({ n: 1 });
});

test("a large blob is read by a role that may only read", async () => {
  const schema = newName("readable");
  const role = newName("reader");
  await (await open({ schema })).blobs.write("large", large());
  await admin.query(`CREATE ROLE ${role} LOGIN; GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
  await admin.query(`GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${role}`);
  expect(await text(await open({ schema, url: urlAs(role) }), "large")).toHaveLength(600_000);
});

test("a role that owns its schema, and may make none, opens and writes", async () => {
  const role = newName("owner");
  await admin.query(`CREATE ROLE ${role} LOGIN; CREATE SCHEMA ${role} AUTHORIZATION ${role}`);
  const storage = await open({ url: urlAs(role), schema: role });
  await storage.records.put("k", {});
  await storage.blobs.write("k", large());
  expect(await text(storage, "k")).toHaveLength(600_000);
});

test("a statement that waits too long ends as storage/unavailable, and the storage goes on", async () => {
  const schema = newName("slow");
  const storage = await open({ schema, statementTimeoutMs: 1_000 });
  const blocker = await admin.connect();
  try {
    await blocker.query(`BEGIN; LOCK TABLE ${schema}.records`);
    await expect(storage.records.put("k", {})).rejects.toMatchObject({
      code: "storage/unavailable",
      hint: expect.stringContaining("statementTimeoutMs"),
    });
  } finally {
    await blocker.query("ROLLBACK");
    blocker.release();
  }
  await storage.records.put("k", {});
});

test("an abort ends a call that waits, with the signal's own reason", async () => {
  const schema = newName("abort");
  const storage = await open({ schema });
  const blocker = await admin.connect();
  const controller = new AbortController();
  try {
    await blocker.query(`BEGIN; LOCK TABLE ${schema}.records`);
    const waiting = storage.records.put("k", {}, { signal: controller.signal });
    setImmediate(() => controller.abort("enough"));
    await expect(waiting).rejects.toBe("enough");
  } finally {
    await blocker.query("ROLLBACK");
    blocker.release();
  }
});

test("tables that somebody dropped are told as such", async () => {
  const schema = newName("dropped");
  const storage = await open({ schema });
  await admin.query(`DROP TABLE ${schema}.records`);
  await expect(storage.records.get("k")).rejects.toMatchObject({
    code: "storage/unavailable",
    hint: expect.stringContaining("migrate: true"),
  });
});

test("bytes that were replaced, deleted or never finished are collected once nobody has needed them for a while; others stay", async () => {
  const schema = newName("collected");
  const storage = await open({ schema });
  const count = async () => Number((await admin.query(`SELECT count(*) FROM ${schema}.blob_chunks`)).rows[0].count);
  const age = (where = "true") =>
    admin.query(`UPDATE ${schema}.blob_versions SET touched_at = now() - interval '1 hour' WHERE ${where}`);
  await storage.blobs.write("kept", large());
  await storage.blobs.write("k", large());
  const reader = await storage.blobs.read("k");
  await storage.blobs.write("k", large());
  await storage.blobs.write("k", Buffer.from("small"));
  await storage.blobs.write("deleted", large());
  await storage.blobs.delete("deleted");
  await admin.query(`INSERT INTO ${schema}.blob_versions VALUES ('default', 'unfinished')`);
  await admin.query(`INSERT INTO ${schema}.blob_chunks VALUES ('default', 'unfinished', 0, 'x')`);
  await (await open({ schema })).close();
  expect(await count()).toBe(13);
  await age();
  await (await open({ schema })).close();
  expect(await count()).toBe(3);
  expect(await text(storage, "kept")).toHaveLength(600_000);
  expect(await text(storage, "k")).toBe("small");
  const reading = async () => {
    for await (const _ of reader?.bytes ?? []);
  };
  await expect(reading()).rejects.toMatchObject({ code: "storage/conflict", hint: expect.any(String) });
});

test("chunks that are missing are storage/corrupt, and hide nothing else", async () => {
  const schema = newName("corrupt");
  const storage = await open({ schema });
  await storage.blobs.write("k", large());
  await storage.blobs.write("other", large());
  const { size } = (await storage.blobs.stat("k")) ?? {};
  expect(size).toBe(600_000);
  await admin.query(
    `DELETE FROM ${schema}.blob_chunks WHERE index > 0 AND version = (SELECT version FROM ${schema}.blobs WHERE key = 'k')`,
  );
  await expect(text(storage, "k")).rejects.toMatchObject({ code: "storage/corrupt" });
  expect(await text(storage, "other")).toHaveLength(600_000);
});

test("a full disk is storage/full, and what is no error of a database comes back as it is", () => {
  const full = Object.assign(new Error("could not extend file"), { code: "53100", severity: "ERROR" });
  expect(postgresError(full, "write", "db")).toMatchObject({
    code: "storage/full",
    hint: expect.stringContaining("room"),
  });
  const wrapped = Object.assign(new Error("Failed query"), { query: "SELECT 1", params: ["private"], cause: full });
  expect(postgresError(wrapped, "write", "db")).toMatchObject({
    code: "storage/full",
    message: "Can't write db: could not extend file.",
  });
  for (const other of [new TypeError("mine"), "a reason", undefined])
    expect(postgresError(other, "read", "db")).toBe(other);
});
