import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "@artificer/protocol";
import { killWriter, listWhileOthersWrite, testStorage, thoroughness } from "@artificer/testkit";
import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { byteaCodec } from "../src/pglite/bytea-codec.js";
import { openPgliteStorage } from "../src/pglite/open-pglite-storage.js";
import { runFixture, startFixture } from "./run-fixture.js";

// An embedded database takes seconds to start: one of each kind, and a tenant for each case.
let folder: string;
let kept: Storage;
let inMemory: PGlite;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "artificer-pglite-"));
  kept = await openPgliteStorage({ dataFolder: join(folder, "data") });
  inMemory = await PGlite.create(byteaCodec);
});

afterAll(async () => {
  await kept?.close();
  await inMemory?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const newTenant = () => randomBytes(6).toString("hex");

testStorage("The PGlite storage in a folder", async () => {
  const options = { dataFolder: join(folder, "data"), tenant: newTenant() };
  const storage = await openPgliteStorage(options);
  return { storage, reopen: () => openPgliteStorage(options), close: () => storage.close() };
});

testStorage("The PGlite storage in memory, with the user's client", async () => {
  const storage = await openPgliteStorage({ client: inMemory, tenant: newTenant() });
  return { storage, close: () => storage.close() };
});

test("a client of the user's stays open when the storage is closed", async () => {
  await (await openPgliteStorage({ client: inMemory, tenant: newTenant() })).close();
  expect((await inMemory.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
});

test("a folder that another process has open is storage/locked naming it, until that process is gone, even killed", async () => {
  const dataFolder = join(folder, "other");
  const child = startFixture("hold-pglite", [dataFolder]);
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  await expect(openPgliteStorage({ dataFolder })).rejects.toMatchObject({
    code: "storage/locked",
    message: expect.stringContaining(`process ${child.pid}`),
    hint: expect.any(String),
  });
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("close", resolve));
  const storage = await openPgliteStorage({ dataFolder });
  expect((await storage.records.get("written"))?.value).toEqual({ before: "the kill" });
  await storage.close();
  expect(await readdir(dataFolder)).toEqual(["pgdata"]);
}, 120_000);

test("both of a folder and a client is refused, as is a schema that can't be", async () => {
  await expect(openPgliteStorage({ dataFolder: folder, client: inMemory })).rejects.toMatchObject({
    code: "usage/invalid-argument",
  });
  await expect(openPgliteStorage({ schema: "public" })).rejects.toMatchObject({
    code: "usage/invalid-argument",
    message: expect.stringContaining("schema"),
  });
});

test("the storage without the package is storage/unsupported and says what to install", async () => {
  expect(await runFixture("without-pglite", [])).toContain(
    "storage/unsupported Install it: npm install @electric-sql/pglite",
  );
});

test(`a process killed in mid-write, ${thoroughness.slowKills} times, leaves in its folder every acknowledged write and nothing half-written [P8]`, async () => {
  const options = { dataFolder: join(folder, "killed") };
  const target = {
    module: new URL("../dist/pglite/index.js", import.meta.url).href,
    factory: "openPgliteStorage",
    options,
  };
  let underWay = 0;
  for (let round = 0; round < thoroughness.slowKills; round++) {
    let storage: Storage | undefined;
    const look = async () => {
      storage = await openPgliteStorage(options);
      return storage;
    };
    if (await killWriter(look, target, round)) underWay++;
    await storage?.close();
  }
  expect(underWay, "no kill came in mid-write").toBeGreaterThan(0);
}, 1_800_000);

test(`${thoroughness.slowRecords} records in a folder are listed whole, page by page, while others write and delete between them`, async () => {
  const storage = await openPgliteStorage({ dataFolder: join(folder, "data"), tenant: newTenant() });
  try {
    await listWhileOthersWrite(storage, thoroughness.slowRecords);
  } finally {
    await storage.close();
  }
}, 900_000);
