import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFor, temporaryFolder } from "./open-temporary.js";
import { runFixture, startFixture } from "./run-fixture.js";

test("two processes that raise a counter by compare-and-set at once lose no step, in records or in blobs [P8]", async () => {
  const folder = await temporaryFolder();
  await Promise.all([runFixture("raise-counter", [folder, "40"]), runFixture("raise-counter", [folder, "40"])]);
  const storage = await openFor(folder);
  expect((await storage.records.get("counter"))?.value).toEqual({ n: 80 });
  expect((await storage.blobs.stat("shared/counter.txt"))?.metadata).toEqual({ n: 80 });
  expect(await readdir(join(folder, ".state", "locks"))).toEqual([]);
}, 120_000);

test("a writer killed in mid-write, thirty times, leaves every acknowledged write and nothing half-written [P8]", async () => {
  const folder = await temporaryFolder();
  let unfinished = 0;
  for (let round = 0; round < 30; round++) {
    const child = startFixture("write-until-killed", [folder, String(round)]);
    let told = "";
    const enough = new Promise<void>((resolve) => {
      child.stdout?.on("data", (data: Buffer) => {
        told += data.toString();
        // Killed after another number of lines each round, at whatever the writer is doing then.
        if (told.split("\n").length > 3 + (round % 7)) resolve();
      });
    });
    await enough;
    for (let turn = 0; turn < round % 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    child.kill("SIGKILL");
    await once(child, "close");

    const storage = await openFor(folder);
    const begun = new Map<string, number>();
    const done = new Map<string, number>();
    for (const [verb, key = "", n] of told
      .trim()
      .split("\n")
      .map((line) => line.split(" "))) {
      (verb === "begin" ? begun : done).set(key, Number(n));
    }
    for (const [key, latest] of begun) {
      const acknowledged = done.get(key);
      if (acknowledged !== latest) unfinished++;
      const allowed = [acknowledged, latest];
      const blob = await storage.blobs.read(`blobs/${key}`);
      expect(allowed).toContain(blob?.info.metadata.n);
      if (blob !== undefined) {
        const { n, length } = blob.info.metadata as { n: number; length: number };
        let text = "";
        for await (const chunk of blob.bytes) text += Buffer.from(chunk).toString();
        expect(text === String(n % 10).repeat(length), `version ${n} has ${text.length} bytes`).toBe(true);
      }
      const record = await storage.records.get(`records/${key}`);
      expect(allowed).toContain(record?.value.n);
      if (record) expect(record.value.filler).toBe(String(Number(record.value.n) % 10).repeat(5_000));
      // The dead writer's locks hold nobody up.
      await storage.blobs.write(`blobs/${key}`, Buffer.from("next"));
      await storage.records.put(`records/${key}`, { n: "next" });
    }
    await storage.close();
    for (const left of ["drafts", "locks", "processes"])
      expect(await readdir(join(folder, ".state", left))).toEqual([]);
  }
  expect(unfinished, "no kill came in mid-write").toBeGreaterThan(0);
}, 180_000);
