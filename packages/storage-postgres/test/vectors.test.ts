import { randomBytes } from "node:crypto";
import type { Storage } from "@artificer/protocol";
import { testServedSearch } from "@artificer/testkit";
import { type OwnService, startOwnPostgres } from "@artificer/testkit/services";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, type TestContext, test } from "vitest";
import { openPostgresStorage, type PostgresStorageOptions } from "../src/open/open-postgres-storage.js";
import { axis, unitVectors } from "./unit-vectors.js";

let server: OwnService;
let admin: pg.Pool;
/** Why nothing here can be run: the programs of this machine's server have no pgvector. */
let notRun: string | undefined;

beforeAll(async () => {
  server = await startOwnPostgres();
  admin = new pg.Pool({ connectionString: server.url });
  notRun = await whyNot(admin);
});
afterAll(async () => {
  await admin?.end();
  await server?.stop();
});

async function whyNot(pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await pool.query("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'");
  return rows.length > 0 ? undefined : "the PostgreSQL server of this machine has no pgvector";
}

const needsPgvector = (context: TestContext) => context.skip(notRun !== undefined, notRun);
const newName = (kind: string) => `${kind}_${randomBytes(6).toString("hex")}`;
const urlAs = (user: string, database = "postgres") => `postgres://${user}@127.0.0.1:${server.port}/${database}`;

async function open(options: Partial<PostgresStorageOptions> = {}): Promise<Storage> {
  const storage = await openPostgresStorage({ url: server.url, ...options });
  onTestFinished(() => storage.close());
  return storage;
}

/** A database of its own, with a role that owns what it makes there and may do nothing else. */
async function databaseOf(role: string): Promise<string> {
  const database = newName("db");
  await admin.query(`CREATE ROLE ${role} LOGIN`);
  await admin.query(`CREATE DATABASE ${database} OWNER ${role}`);
  return database;
}

const many = (count: number, dimensions = 48) =>
  unitVectors(count, dimensions).map((vector, at) => ({ id: `v${at}`, vector }));
const indexesOf = async (schema: string) => {
  const like = "SELECT indexdef FROM pg_indexes WHERE schemaname = $1 AND indexname LIKE 'vectors_set_%'";
  return (await admin.query<{ indexdef: string }>(like, [schema])).rows.map(({ indexdef }) => indexdef);
};

testServedSearch("The Postgres storage with pgvector", {
  async start() {
    const own = await startOwnPostgres();
    const pool = new pg.Pool({ connectionString: own.url });
    const why = await whyNot(pool);
    await pool.end();
    if (why !== undefined) return { notRun: why, stop: () => own.stop() };
    return {
      async open() {
        const schema = newName("served");
        const reopen = () => openPostgresStorage({ url: own.url, schema });
        const rename = async (from: string, to: string) => {
          const client = new pg.Client({ connectionString: own.url });
          await client.connect();
          await client.query(`ALTER TABLE ${schema}.${from} RENAME TO ${to}`);
          await client.end();
        };
        const breakRanking = async () => {
          await rename("vectors", "away");
          return { mend: () => rename("away", "vectors") };
        };
        return { storage: await reopen(), reopen, breakRanking };
      },
      stop: () => own.stop(),
    };
  },
});

test("a large set has an index over half precision of its own, which is used, and goes with the set", async (context) => {
  needsPgvector(context);
  const schema = newName("indexed");
  const pool = new pg.Pool({ connectionString: server.url });
  onTestFinished(() => pool.end());
  const sent: unknown[] = [];
  const query = pool.query.bind(pool) as (...given: unknown[]) => unknown;
  Object.assign(pool, { query: (...given: unknown[]) => sent.push(given[0]) && query(...given) });
  const storage = await openPostgresStorage({ pool, schema });
  onTestFinished(() => storage.close());
  const { vectors } = storage;
  await vectors?.put("small", many(1_900));
  expect(await indexesOf(schema)).toEqual([]);
  await vectors?.put("large", many(2_100));
  await vectors?.put("larger", many(2_100, 24));
  const definitions = await indexesOf(schema);
  expect(definitions).toHaveLength(2);
  expect(definitions[0]).toContain("halfvec(48)) halfvec_cosine_ops) WHERE (set = 2)");
  const planOf = async (set: string) => {
    await vectors?.nearest(set, axis(0, 48), { limit: 200 });
    const statements = String(sent.at(-1)).split(";\n");
    const plan = await query([...statements.slice(0, -1), `EXPLAIN ${statements.at(-1)}`].join(";\n"));
    return JSON.stringify((plan as pg.QueryResult[]).at(-1)?.rows);
  };
  expect(await planOf("large")).toContain("Index Scan using vectors_set_2");
  expect(await planOf("small")).not.toContain("vectors_set");
  expect(await vectors?.drop("large")).toBe(true);
  expect(await indexesOf(schema)).toHaveLength(1);
  expect(await vectors?.nearest("large", axis(0, 48))).toEqual([]);
  expect(await vectors?.nearest("larger", axis(0, 24))).toHaveLength(10);
});

test("more dimensions than can be indexed are ranked all the same", async (context) => {
  needsPgvector(context);
  const schema = newName("wide");
  const { vectors } = await open({ schema });
  const put = (from: number) =>
    vectors?.put(
      "wide",
      Array.from({ length: 500 }, (_, at) => ({ id: `v${from + at}`, vector: axis(from + at, 4_200) })),
    );
  for (let from = 0; from < 2_500; from += 500) await put(from);
  expect(await indexesOf(schema)).toEqual([]);
  expect((await vectors?.nearest("wide", axis(1_234, 4_200), { limit: 1 }))?.[0]?.id).toBe("v1234");
}, 120_000);

test("processes that write one set at once build its index once, and none of their vectors is lost", async (context) => {
  needsPgvector(context);
  const schema = newName("many");
  const storages = await Promise.all(Array.from({ length: 6 }, () => open({ schema, maxConnections: 3 })));
  const all = many(3_000, 32);
  await Promise.all(storages.map((storage, n) => storage.vectors?.put("s", all.slice(n * 400, n * 400 + 1_000))));
  expect(await storages[0]?.vectors?.count("s")).toBe(3_000);
  // Who met another's build, or writers, lets it be; the next to write sees to it.
  await (await open({ schema })).vectors?.put("s", all.slice(0, 1));
  expect(await indexesOf(schema)).toHaveLength(1);
  for (const { id, vector } of all.filter((_, at) => at % 300 === 0))
    expect((await storages[5]?.vectors?.nearest("s", vector, { limit: 1 }))?.[0]?.id).toBe(id);
}, 120_000);

test("tenants of one schema never see each other's vectors, nor delete them", async (context) => {
  needsPgvector(context);
  const schema = newName("tenants");
  const [one, other] = [await open({ schema, tenant: "it's" }), await open({ schema, tenant: "it\\'s" })];
  await one.vectors?.put("s", many(2_200, 16));
  await other.vectors?.put("s", [{ id: "v0", vector: axis(3, 5) }]);
  expect(await other.vectors?.nearest("s", axis(3, 5), { limit: 100 })).toHaveLength(1);
  expect(await one.vectors?.nearest("s", axis(3, 16), { limit: 100 })).toHaveLength(100);
  expect(await other.vectors?.drop("s")).toBe(true);
  expect(await one.vectors?.count("s")).toBe(2_200);
});

test("an extension in a schema that nobody searches is used from there", async (context) => {
  needsPgvector(context);
  const database = newName("elsewhere");
  await admin.query(`CREATE DATABASE ${database}`);
  const url = urlAs("postgres", database);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE SCHEMA "of ""others"""; CREATE EXTENSION vector SCHEMA "of ""others"""');
  await client.end();
  const { vectors, notices } = await open({ url });
  expect(notices).toEqual([]);
  await vectors?.put("s", many(2_050, 12));
  expect((await vectors?.nearest("s", many(3, 12)[2]?.vector as Float32Array, { limit: 1 }))?.[0]?.id).toBe("v2");
  expect((await vectors?.get("s", ["v2"]))?.get("v2")).toEqual(many(3, 12)[2]?.vector);
});

test("a role that may not make the extension works with vectors in memory, is told, and has them once another made it", async (context) => {
  needsPgvector(context);
  const role = newName("plain");
  const database = await databaseOf(role);
  const url = urlAs(role, database);
  const refused = await open({ url });
  expect(refused.capabilities.vectors).toBe(false);
  expect(refused.vectors).toBeUndefined();
  expect(refused.notices).toEqual([
    expect.stringMatching(/could not be set up.*permission denied.*CREATE EXTENSION vector/),
  ]);
  await refused.records.put("k", { n: 1 });
  const client = new pg.Client({ connectionString: urlAs("postgres", database) });
  await client.connect();
  await client.query("CREATE EXTENSION vector");
  await client.end();
  const storage = await open({ url });
  expect(storage.notices).toEqual([]);
  await storage.vectors?.put("s", many(3, 8));
  expect(await (await open({ url, migrate: false })).vectors?.count("s")).toBe(3);
});

test("without leave to migrate, missing tables of vectors are told and nothing else is refused", async (context) => {
  needsPgvector(context);
  const schema = newName("before");
  await open({ schema, vectors: false });
  const storage = await open({ schema, migrate: false });
  expect(storage.capabilities.vectors).toBe(false);
  expect(storage.notices).toEqual([expect.stringMatching(/no tables for them yet.*migrate: true/)]);
  await storage.records.put("k", { n: 1 });
  expect((await open({ schema })).capabilities.vectors).toBe(true);
  expect(await open({ schema, vectors: false })).toMatchObject({ capabilities: { vectors: false }, notices: [] });
});

test("roles that may only read or write rows rank too, and one that may not see the tables is told", async (context) => {
  needsPgvector(context);
  const schema = newName("roles");
  const owner = await open({ schema });
  const [writer, reader, blind] = [newName("writer"), newName("reader"), newName("blind")];
  for (const role of [writer, reader, blind]) {
    await admin.query(`CREATE ROLE ${role} LOGIN; GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
    await admin.query(`GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${role}`);
  }
  await admin.query(`GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${writer}`);
  await admin.query(`REVOKE ALL ON ${schema}.vectors FROM ${blind}`);

  const writing = await open({ url: urlAs(writer), schema });
  expect(writing.notices).toEqual([expect.stringContaining("does not own their table")]);
  await writing.vectors?.put("s", many(2_100, 16));
  expect(await indexesOf(schema)).toEqual([]);
  const [second] = many(3, 16).slice(2);
  expect((await writing.vectors?.nearest("s", second?.vector as Float32Array, { limit: 1 }))?.[0]?.id).toBe("v2");
  await owner.vectors?.put("s", many(1, 16));
  expect(await indexesOf(schema)).toHaveLength(1);

  const reading = await open({ url: urlAs(reader), schema });
  expect(await reading.vectors?.nearest("s", axis(0, 16))).toHaveLength(10);
  await expect(reading.vectors?.put("s", many(1, 16))).rejects.toMatchObject({ code: "storage/read-only" });
  await expect(reading.vectors?.put("new", many(1, 16))).rejects.toMatchObject({ code: "storage/read-only" });

  const unseeing = await open({ url: urlAs(blind), schema });
  expect(unseeing.capabilities.vectors).toBe(false);
  expect(unseeing.notices).toEqual([expect.stringContaining("Grant SELECT")]);
});
