import { once } from "node:events";
import { readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { holdByWrongClock, killWriter, listWhileOthersWrite, thoroughness } from "@artificer/testkit";
import { expect, onTestFinished, test, vi } from "vitest";
import type { FileStorage } from "../src/open-file-storage.js";
import { openFor, temporaryFolder } from "./open-temporary.js";
import { runFixture, startFixture } from "./run-fixture.js";

/** How another process opens the storage in a folder. */
const targetIn = (folder: string) => ({
  module: new URL("../dist/index.js", import.meta.url).href,
  factory: "openFileStorage",
  options: folder,
});

test("two processes that raise a counter by compare-and-set at once lose no step, in records or in blobs [P8]", async () => {
  const folder = await temporaryFolder();
  await Promise.all([runFixture("raise-counter", [folder, "40"]), runFixture("raise-counter", [folder, "40"])]);
  const storage = await openFor(folder);
  expect((await storage.records.get("counter"))?.value).toEqual({ n: 80 });
  expect((await storage.blobs.stat("shared/counter.txt"))?.metadata).toEqual({ n: 80 });
  expect(await readdir(join(folder, ".state", "locks"))).toEqual([]);
}, 120_000);

test(`a writer killed in mid-write, ${thoroughness.kills} times, leaves every acknowledged write and nothing half-written [P8]`, async () => {
  const target = targetIn(await temporaryFolder());
  let underWay = 0;
  for (let round = 0; round < thoroughness.kills; round++) {
    let storage: FileStorage | undefined;
    const look = async () => {
      storage = await openFor(target.options);
      return storage;
    };
    if (await killWriter(look, target, round)) underWay++;
    await storage?.close();
    for (const left of ["drafts", "locks", "processes"])
      expect(await readdir(join(target.options, ".state", left))).toEqual([]);
  }
  expect(underWay, "no kill came in mid-write").toBeGreaterThan(0);
}, 600_000);

test(`${thoroughness.slowRecords} records are listed whole, page by page, while others write and delete between them`, async () => {
  await listWhileOthersWrite(await openFor(await temporaryFolder()), thoroughness.slowRecords);
}, 900_000);

test("a process whose clock is hours off, and jumps, neither loses a lease nor keeps one; when it is killed its leases are free at once", async () => {
  const target = targetIn(await temporaryFolder());
  for (const hours of [-30, 30]) await holdByWrongClock(target, hours);
  const child = startFixture("hold-lease", [target.options]);
  await once(child.stdout as NodeJS.ReadableStream, "data");
  const { leases } = await openFor(target.options);
  expect(await leases?.acquire("held", { ttlMs: 1_000 })).toBeUndefined();
  child.kill("SIGKILL");
  await once(child, "close");
  expect(await leases?.acquire("held", { ttlMs: 1_000 })).toEqual({ key: "held", token: 2 });
}, 60_000);

test("a holder on another machine, whose clock can't be seen, keeps its lease until it was silent for the whole of its time", async () => {
  const folder = await temporaryFolder();
  const { leases } = await openFor(folder);
  await leases?.acquire("far", { ttlMs: 400 });
  const path = join(folder, ".state", "leases", "far.json");
  const elsewhere = (sign: string) => {
    const holder = { id: "x", pid: 1, machine: "another" };
    return writeFile(path, JSON.stringify({ token: 7, sign, ttlMs: 400, until: 0, holder }));
  };
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const acquire = () => leases?.acquire("far", { ttlMs: 400 });
  // It renews: each sign begins its time anew.
  for (const sign of ["one", "two", "three"]) {
    await elsewhere(sign);
    expect(await acquire()).toBeUndefined();
    vi.advanceTimersByTime(399);
    expect(await acquire()).toBeUndefined();
  }
  vi.advanceTimersByTime(2);
  expect(await acquire()).toEqual({ key: "far", token: 8 });
});

test("an edit by hand gives a new version, also one that leaves size and time as they were", async () => {
  const folder = await temporaryFolder();
  const { blobs, watch } = await openFor(folder);
  await blobs.write("skills/a.py", Buffer.from("one"));
  const settled = async () => {
    for (let last = ""; ; ) {
      const now = (await watch?.version("skills/")) ?? "";
      if (now === last) return now;
      last = now;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  };
  const before = await settled();
  const path = join(folder, "skills", "a.py");
  const { atime, mtime } = await stat(path);
  await writeFile(path, "two");
  await utimes(path, atime, mtime);
  const after = await settled();
  expect(after).not.toBe(before);
  await rm(path);
  expect(await settled()).not.toBe(after);
});
