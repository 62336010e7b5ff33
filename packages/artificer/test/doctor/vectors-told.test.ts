import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStorage } from "@artificer/runtime";
import { openPgliteStorage } from "@artificer/storage-postgres/pglite";
import { expect, onTestFinished, test } from "vitest";
import { configSchema } from "../../src/config/config-schema.js";
import { checkStore } from "../../src/doctor/check-store.js";
import { howVectorsAreKept } from "../../src/doctor/how-vectors-are-kept.js";

test("the doctor says who ranks vectors and from how many on, and what keeps a database from it", {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "artificer-doctor-vectors-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const dataFolder = join(folder, "data");
  const told = async () => {
    const config = configSchema.parse({ embeddings: { max_in_memory: 500 } });
    const checks = await checkStore(folder, config, { storage: `pglite:${dataFolder}` });
    return checks.map(({ detail }) => detail).join("\n");
  };
  // As a release without vectors left it.
  await (await openPgliteStorage({ dataFolder, vectors: false })).close();
  expect(await told()).toMatch(
    /searched exactly, in memory\..*no tables for them yet.*Open it once with `migrate: true`/,
  );
  await (await openPgliteStorage({ dataFolder })).close();
  expect(await told()).toContain(
    "of up to 500 skills they are compared exactly, in memory; of more it ranks them itself",
  );
});

test("a storage that ranks by looking at all has no index to tell of", async () => {
  const storage = createMemoryStorage();
  expect(howVectorsAreKept(storage)).toMatch(/of up to 20000 skills.*of more it ranks them itself$/);
  await storage.close();
});
