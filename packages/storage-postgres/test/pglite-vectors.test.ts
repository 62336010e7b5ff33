import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testServedSearch } from "@artificer/testkit";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { expect, onTestFinished, test } from "vitest";
import { openPgliteStorage } from "../src/pglite/open-pglite-storage.js";
import { runFixture } from "./run-fixture.js";
import { unitVectors } from "./unit-vectors.js";

testServedSearch("The PGlite storage", {
  async start() {
    const client = await PGlite.create({ extensions: { vector } });
    let schemas = 0;
    return {
      async open() {
        const options = { client, schema: `served_${++schemas}` };
        const rename = (from: string, to: string) =>
          client.exec(`ALTER TABLE ${options.schema}.${from} RENAME TO ${to}`).then(() => {});
        const breakRanking = async () => {
          await rename("vectors", "away");
          return { mend: () => rename("away", "vectors") };
        };
        const reopen = () => openPgliteStorage(options);
        return { storage: await reopen(), reopen, breakRanking };
      },
      stop: () => client.close(),
    };
  },
});

test("a large set is ranked by its index, though nothing ever analysed the table", { timeout: 120_000 }, async () => {
  const client = await PGlite.create({ extensions: { vector } });
  onTestFinished(() => client.close());
  const sent: string[] = [];
  const exec = client.exec.bind(client);
  Object.assign(client, { exec: (text: string) => sent.push(text) && exec(text) });
  const { vectors } = await openPgliteStorage({ client });
  const all = unitVectors(2_100, 24);
  await vectors?.put(
    "s",
    all.map((one, at) => ({ id: `v${at}`, vector: one })),
  );
  expect((await vectors?.nearest("s", all[7] as Float32Array))?.[0]?.id).toBe("v7");
  const statements = String(sent.at(-1)).split(";\n");
  const plan = await exec([...statements.slice(0, -1), `EXPLAIN ${statements.at(-1)}`].join(";\n"));
  expect(JSON.stringify(plan.at(-1)?.rows)).toContain("Index Scan using vectors_set_1");
});

test("without the extension's package vectors are searched in memory, which is told with what to install; a folder that had it stays good", {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "artificer-pglite-vectors-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const dataFolder = join(folder, "data");
  const storage = await openPgliteStorage({ dataFolder });
  expect(storage.capabilities.vectors).toBe(true);
  expect(storage.notices).toEqual([]);
  await storage.vectors?.put("s", [{ id: "a", vector: Float32Array.of(0, 1) }]);
  await storage.records.put("k", { n: 1 });
  await storage.close();

  const told = JSON.parse(await runFixture("without-pgvector", [dataFolder]));
  expect(told).toEqual({
    vectors: false,
    record: { n: 1 },
    notices: [expect.stringMatching(/in memory.*npm install @electric-sql\/pglite-pgvector@0\.0\.15$/)],
  });

  const again = await openPgliteStorage({ dataFolder });
  expect(await again.vectors?.count("s")).toBe(1);
  await again.close();
});

test("a client that was made without the extension is used without, and told so", { timeout: 60_000 }, async () => {
  const client = await PGlite.create();
  onTestFinished(() => client.close());
  const storage = await openPgliteStorage({ client });
  expect(storage.capabilities.vectors).toBe(false);
  expect(storage.notices).toEqual([expect.stringContaining("extensions: { vector }")]);
});
