import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { appendFile, chmod, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openFor, temporaryFolder } from "./open-temporary.js";

const text = Buffer.from;

async function readText(storage: Awaited<ReturnType<typeof openFor>>, key: string): Promise<string | undefined> {
  const blob = await storage.blobs.read(key);
  if (blob === undefined) return undefined;
  let whole = "";
  for await (const chunk of blob.bytes) whole += Buffer.from(chunk).toString();
  return whole;
}

test("a blob is the plain file its key names, with exactly its bytes", async () => {
  const folder = await temporaryFolder();
  const storage = await openFor(folder);
  await storage.blobs.write("skills/parse_log.py", text("def run(): ...\n"), { metadata: { n: 1 } });
  await storage.blobs.write("artifacts/reports/may.json", text('{"a": 1}'));
  expect(await readFile(join(folder, "skills", "parse_log.py"), "utf8")).toBe("def run(): ...\n");
  expect(await readFile(join(folder, "artifacts", "reports", "may.json"), "utf8")).toBe('{"a": 1}');
  await storage.records.put("a/B", { n: 1 });
  const record = await readFile(join(folder, ".state", "records", "a.d", "%42.json"), "utf8");
  expect(JSON.parse(record)).toEqual({ revision: expect.any(String), value: { n: 1 } });
});

test("an edit by hand changes the revision and keeps the metadata, for each way that editors save", async () => {
  const folder = await temporaryFolder();
  const storage = await openFor(folder);
  const other = await openFor(folder);
  const path = join(folder, "notes", "a.txt");
  const edits: Array<[string, () => Promise<void>]> = [
    ["in place, of equal length, at once", () => writeFile(path, "two")],
    ["appended to", () => appendFile(path, "more")],
    [
      "replaced by another file",
      () => writeFile(join(folder, "draft"), "new").then(() => rename(join(folder, "draft"), path)),
    ],
    ["deleted and made again", () => rm(path).then(() => writeFile(path, "six"))],
  ];
  for (const [how, edit] of edits) {
    const written = await storage.blobs.write("notes/a.txt", text("one"), { metadata: { kept: how } });
    await edit();
    const info = await storage.blobs.stat("notes/a.txt");
    expect(info?.revision, how).not.toBe(written.revision);
    expect(info?.metadata, how).toEqual({ kept: how });
    expect(await readText(storage, "notes/a.txt"), how).toBe(await readFile(path, "utf8"));
    expect((await other.blobs.stat("notes/a.txt"))?.revision, how).toBe(info?.revision);
    await expect(
      storage.blobs.write("notes/a.txt", text("lost"), { ifRevision: written.revision }),
      how,
    ).rejects.toMatchObject({ code: "storage/conflict" });
    await storage.blobs.write("notes/a.txt", text("won"), { ifRevision: info?.revision });
  }
});

test("an edit of equal length that puts the old time back is seen, by another process too", async () => {
  const folder = await temporaryFolder();
  const storage = await openFor(folder);
  const written = await storage.blobs.write("a.txt", text("one"));
  const path = join(folder, "a.txt");
  const reference = join(folder, ".reference");
  const touch = promisify(execFile);
  await touch("touch", ["-r", path, reference]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await writeFile(path, "two");
  // To the nanosecond, which utimes can't.
  await touch("touch", ["-r", reference, path]);
  const other = await openFor(folder);
  expect((await other.blobs.stat("a.txt"))?.revision).not.toBe(written.revision);
  expect((await storage.blobs.stat("a.txt"))?.revision).not.toBe(written.revision);
});

test("edits in place right after a write are seen, however slowly the clock of the files ticks", async () => {
  const folder = await temporaryFolder();
  const storage = await openFor(folder, { fsync: false });
  for (let round = 0; round < 40; round++) {
    const written = await storage.blobs.write("a.txt", text("one"));
    writeFileSync(join(folder, "a.txt"), "two");
    expect((await storage.blobs.stat("a.txt"))?.revision, `round ${round}`).not.toBe(written.revision);
    writeFileSync(join(folder, "a.txt"), "six");
    expect(await readText(storage, "a.txt")).toBe("six");
  }
});

test("a file whose time is not yet past is never taken for known, since its mark may not tell of the next edit", async () => {
  const folder = await temporaryFolder();
  const storage = await openFor(folder, { fsync: false });
  const path = join(folder, "a.txt");
  await writeFile(path, "one");
  // However slow this machine is: a time ahead of ours is one of a moment ago for as long as the test takes.
  await utimes(path, new Date(), new Date(Date.now() + 3_600_000));
  const version = await storage.watch?.version("");
  expect(version).toBeDefined();
  expect(await storage.watch?.version("")).not.toBe(version);
  await storage.blobs.stat("a.txt");
  expect(await readdir(join(folder, ".state"))).not.toContain("blobs");
});

test("a file that was touched, copied over itself, or edited back keeps its revision", async () => {
  const folder = await temporaryFolder();
  const storage = await openFor(folder);
  const written = await storage.blobs.write("a.txt", text("one"), { metadata: { n: 1 } });
  const path = join(folder, "a.txt");
  await utimes(path, new Date(), new Date(2020, 1, 1));
  expect((await storage.blobs.stat("a.txt"))?.revision).toBe(written.revision);
  await writeFile(path, "two");
  await writeFile(path, "one");
  expect(await storage.blobs.stat("a.txt")).toMatchObject({ revision: written.revision, metadata: { n: 1 } });
  await writeFile(join(folder, ".copy"), "one");
  await rename(join(folder, ".copy"), path);
  expect((await (await openFor(folder)).blobs.stat("a.txt"))?.revision).toBe(written.revision);
});

test("a file put there by hand is a blob without metadata, with one revision for every process", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "notes"));
  await writeFile(join(folder, "notes", "hand.txt"), "hello");
  const [one, two] = [await openFor(folder), await openFor(folder)];
  const info = await one.blobs.stat("notes/hand.txt");
  expect(info).toMatchObject({ key: "notes/hand.txt", size: 5, metadata: {} });
  expect(await two.blobs.stat("notes/hand.txt")).toEqual(info);
  expect((await one.blobs.list("notes/")).items).toEqual([info]);
  await writeFile(join(folder, "notes", "hand.txt"), "HELLO");
  expect((await two.blobs.stat("notes/hand.txt"))?.revision).not.toBe(info?.revision);
});

test("a file deleted by hand is absent, and deleting through the storage forgets the metadata for good", async () => {
  const folder = await temporaryFolder();
  const storage = await openFor(folder);
  await storage.blobs.write("a.txt", text("one"), { metadata: { n: 1 } });
  await rm(join(folder, "a.txt"));
  expect(await storage.blobs.stat("a.txt")).toBeUndefined();
  await storage.blobs.write("a.txt", text("one"), { ifRevision: null, metadata: { n: 2 } });
  await storage.blobs.delete("a.txt");
  await writeFile(join(folder, "a.txt"), "one");
  expect((await storage.blobs.stat("a.txt"))?.metadata).toEqual({});
});

test("stat and list of an unchanged file believe what was noted of it and don't read it", async () => {
  const folder = await temporaryFolder();
  const storage = await openFor(folder);
  const written = await storage.blobs.write("a.txt", text("one"));
  const sidecar = join(folder, ".state", "blobs", "a.txt.json");
  const noted = JSON.parse(await readFile(sidecar, "utf8"));
  // A reading would find that the hash is another, and take the file for edited.
  noted.versions[0].sha256 = "0".repeat(64);
  await writeFile(sidecar, JSON.stringify(noted));
  const other = await openFor(folder);
  expect((await other.blobs.stat("a.txt"))?.revision).toBe(written.revision);
  expect((await other.blobs.list("")).items[0]?.revision).toBe(written.revision);
  await utimes(join(folder, "a.txt"), new Date(), new Date());
  expect((await (await openFor(folder)).blobs.stat("a.txt"))?.revision).toMatch(/^edited-/);
});

test("a file found by hand is read once, noted, and not read again", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "a.txt"), "one");
  await utimes(join(folder, "a.txt"), new Date(), new Date(Date.now() - 60_000));
  await new Promise((resolve) => setTimeout(resolve, 150));
  const first = await (await openFor(folder)).blobs.stat("a.txt");
  const sidecar = join(folder, ".state", "blobs", "a.txt.json");
  const noted = JSON.parse(await readFile(sidecar, "utf8"));
  expect(noted.versions).toHaveLength(1);
  noted.versions[0].revision = "as-noted";
  await writeFile(sidecar, JSON.stringify(noted));
  expect(first?.revision).toMatch(/^edited-/);
  expect((await (await openFor(folder)).blobs.stat("a.txt"))?.revision).toBe("as-noted");
});

test("a replaced file keeps the permissions that people gave it", async () => {
  const folder = await temporaryFolder();
  const storage = await openFor(folder);
  await storage.blobs.write("run.sh", text("#!/bin/sh\n"));
  await chmod(join(folder, "run.sh"), 0o750);
  await storage.blobs.write("run.sh", text("#!/bin/sh\necho\n"));
  expect((await stat(join(folder, "run.sh"))).mode & 0o777).toBe(0o750);
});
