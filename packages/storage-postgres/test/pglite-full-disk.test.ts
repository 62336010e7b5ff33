import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { smallDiskOrSkip } from "@artificer/testkit/confinement";
import { expect, onTestFinished, test } from "vitest";
import { openPgliteStorage } from "../src/pglite/open-pglite-storage.js";
import { runFixture, startFixture } from "./run-fixture.js";

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "artificer-pglite-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("an embedded database on a full disk refuses writes as storage/full, keeps what it acknowledged, is read, and goes on with room again [P8]", async (context) => {
  const folder = await temporaryFolder();
  const disk = await smallDiskOrSkip(context, folder, { megabytes: 208 });
  const report: unknown = JSON.parse(await runFixture("fill-pglite", [folder], disk));
  expect(report).toEqual({
    end: "storage/full",
    some: true,
    replacing: "storage/full",
    creating: "storage/full",
    another: "storage/full",
    there: [true, '1000000 {"n":1}', 1],
    deleting: "done",
    again: "done",
    later: [true, '600000 {"n":3}'],
  });
}, 240_000);

test("a database that gave up for want of room is asked nothing any more, is told of, and has all that it acknowledged when it is opened again [P8]", async () => {
  const dataFolder = join(await temporaryFolder(), "data");
  await (await openPgliteStorage({ dataFolder })).close();
  // No file of more than 8 MB, which its log needs: it is met by nothing that looks at how much is free.
  const limited = ["bash", "-c", 'ulimit -f 8192; exec "$@"', "bash"];
  const report = JSON.parse(await runFixture("pglite-gives-up", [dataFolder], limited));
  expect(report.end).toMatch(/^storage\/unavailable: /);
  expect(report.after).toEqual(Array(2).fill(expect.stringMatching(/^storage\/unavailable: .*open it again/)));
  const storage = await openPgliteStorage({ dataFolder });
  try {
    const { items } = await storage.blobs.list("fill/");
    expect(items.length).toBeGreaterThanOrEqual(report.acknowledged);
    expect(items.every(({ size }) => size === 200_000)).toBe(true);
    await storage.records.put("a", { n: 1 });
  } finally {
    await storage.close();
  }
}, 240_000);

test("a database whose maker was killed in the midst of it is made anew", async () => {
  const dataFolder = join(await temporaryFolder(), "data");
  const child = startFixture("hold-pglite", [dataFolder]);
  const closed = once(child, "close");
  // Wherever the kill lands, also after the end of it, the next opening has a whole database.
  await expect.poll(() => existsSync(join(dataFolder, "pgdata", "base")), { interval: 5 }).toBe(true);
  child.kill("SIGKILL");
  await closed;
  const storage = await openPgliteStorage({ dataFolder });
  await storage.records.put("a", { n: 1 });
  await storage.close();
  expect(await readdir(dataFolder)).toEqual(["pgdata"]);
}, 240_000);

test("what is there of a database that was never finished is thrown away", async () => {
  const dataFolder = join(await temporaryFolder(), "data");
  await mkdir(join(dataFolder, "pgdata", "base"), { recursive: true });
  await writeFile(join(dataFolder, "pgdata", "PG_VERSION"), "18\n");
  await writeFile(join(dataFolder, "making"), "");
  const storage = await openPgliteStorage({ dataFolder });
  await storage.records.put("a", { n: 1 });
  await storage.close();
  expect(await readdir(dataFolder)).toEqual(["pgdata"]);
}, 240_000);
