import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { openFileStorage } from "../src/open-file-storage.js";
import { openFor, temporaryFolder } from "./open-temporary.js";
import { runFixture } from "./run-fixture.js";

const bytes = Buffer.from("x");

test("symbolic links are not followed, by no call, and are reported", async () => {
  const folder = await temporaryFolder();
  const outside = await temporaryFolder();
  await writeFile(join(outside, "secret.txt"), "secret");
  const storage = await openFor(folder);
  await symlink(join(outside, "secret.txt"), join(folder, "link.txt"));
  await symlink(outside, join(folder, "linked"));
  await symlink(join(outside, "nowhere"), join(folder, "dangling"));
  for (const key of ["link.txt", "linked/secret.txt", "linked/new.txt", "dangling", "linked/deep/new.txt"]) {
    const refused = { code: "storage/invalid-key", message: expect.stringContaining("symbolic link") };
    await expect(storage.blobs.write(key, bytes), key).rejects.toMatchObject(refused);
    if (!key.includes("new")) {
      await expect(storage.blobs.stat(key), key).rejects.toMatchObject(refused);
      await expect(storage.blobs.read(key), key).rejects.toMatchObject(refused);
      await expect(storage.blobs.delete(key), key).rejects.toMatchObject(refused);
    }
  }
  expect((await storage.blobs.list("")).items).toEqual([]);
  expect(await readdir(outside)).toEqual(["secret.txt"]);
  expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe("secret");
  expect((await storage.ignored()).map(({ path }) => path).sort()).toEqual(["dangling", "link.txt", "linked"]);
});

test("a base folder that is itself a symbolic link is fine", async () => {
  const folder = await temporaryFolder();
  const link = join(await temporaryFolder(), "base");
  await symlink(folder, link);
  const storage = await openFor(link);
  await storage.blobs.write("a/b.txt", bytes);
  expect(storage.folder).toBe(folder);
  expect((await storage.blobs.stat("a/b.txt"))?.size).toBe(1);
});

test("files whose names no key can have are ignored and reported with the reason; dot files are left alone", async () => {
  const folder = await temporaryFolder();
  const storage = await openFor(folder);
  for (const name of ["good.txt", "100%.txt", "%41.txt", " space.txt", ".DS_Store", "u\u0308.txt"]) {
    await writeFile(join(folder, name), "x");
  }
  await mkdir(join(folder, ".git"));
  await writeFile(join(folder, ".git", "config"), "x");
  expect((await storage.blobs.list("")).items.map(({ key }) => key)).toEqual(["good.txt"]);
  const ignored = await storage.ignored();
  expect(ignored.map(({ path }) => path).sort()).toEqual([" space.txt", "%41.txt", "100%.txt", "u\u0308.txt"]);
  for (const { reason } of ignored) expect(reason).not.toBe("");
});

test("a file where a folder belongs, and a folder where a file belongs, keep their plain names beside the newcomer", async () => {
  const folder = await temporaryFolder();
  const storage = await openFor(folder);
  await storage.blobs.write("a", bytes);
  await storage.blobs.write("a/b", bytes);
  await storage.blobs.write("c/d", bytes);
  await storage.blobs.write("c", bytes);
  expect((await readdir(folder, { recursive: true })).filter((name) => !name.startsWith(".")).sort()).toEqual(
    ["%61%2F", "%61%2F/b", "%63", "a", "c", "c/d"].map((name) => join(name)),
  );
});

test("folders that a delete left empty go, those at the top stay", async () => {
  const folder = await temporaryFolder();
  const storage = await openFor(folder);
  await storage.blobs.write("artifacts/a/b/c.txt", bytes, { metadata: { n: 1 } });
  await storage.records.put("journal/s/1", {});
  await storage.blobs.delete("artifacts/a/b/c.txt");
  await storage.records.delete("journal/s/1");
  expect(await readdir(join(folder, "artifacts"))).toEqual([]);
  expect(await readdir(join(folder, ".state", "blobs"))).toEqual([]);
  expect(await readdir(join(folder, ".state", "records"))).toEqual([]);
});

test("drafts and marks of processes that died are cleared at the next opening, those of living ones are not", async () => {
  const folder = await temporaryFolder();
  const living = await openFor(folder);
  let goOn = () => {};
  const halted = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  async function* slow() {
    yield bytes;
    await halted;
    yield bytes;
  }
  const writing = living.blobs.write("slow", slow());
  const drafts = join(folder, ".state", "drafts");
  while ((await readdir(drafts).catch(() => [])).length === 0) await new Promise((resolve) => setImmediate(resolve));
  await writeFile(join(drafts, "0123456789abcdef01-7"), "left behind");
  await (await openFileStorage(folder)).close();
  expect(await readdir(drafts)).toHaveLength(1);
  goOn();
  expect((await writing).size).toBe(2);
  expect(await readdir(drafts)).toEqual([]);
});

test("a file that is no JSON is storage/corrupt naming the file and how to mend it, and hides nothing else", async () => {
  const folder = await temporaryFolder();
  const storage = await openFor(folder);
  await storage.records.put("good", {});
  await storage.records.put("bad", {});
  await storage.blobs.write("a.txt", bytes, { metadata: { n: 1 } });
  const record = join(folder, ".state", "records", "bad.json");
  const sidecar = join(folder, ".state", "blobs", "a.txt.json");
  for (const content of ["{", "", "[]", "{}", '{"revision":1,"value":{}}']) {
    await writeFile(record, content);
    await writeFile(sidecar, content);
    const corrupt = (path: string) => ({
      code: "storage/corrupt",
      message: expect.stringContaining(path),
      hint: expect.any(String),
    });
    await expect(storage.records.get("bad"), content).rejects.toMatchObject(corrupt(record));
    await expect(storage.records.put("bad", {}, { ifRevision: "x" }), content).rejects.toMatchObject(corrupt(record));
    await expect((await openFor(folder)).blobs.stat("a.txt"), content).rejects.toMatchObject(corrupt(sidecar));
  }
  expect((await storage.records.get("good"))?.value).toEqual({});
  expect(await storage.records.delete("bad")).toBe(true);
});

test("a base that is a file is refused by name", async () => {
  const path = join(await temporaryFolder(), "file");
  await writeFile(path, "x");
  await expect(openFileStorage(path)).rejects.toMatchObject({
    code: "storage/unavailable",
    message: expect.stringContaining(path),
  });
});

test("close lets a write under way finish and ends readers that are not done", async () => {
  const storage = await openFor(await temporaryFolder());
  await storage.blobs.write("large", Buffer.alloc(2_000_000));
  const blob = await storage.blobs.read("large");
  const writing = storage.blobs.write("late", bytes);
  await storage.close();
  expect((await writing).size).toBe(1);
  const read = async () => {
    for await (const _ of blob?.bytes ?? []);
  };
  await expect(read()).rejects.toMatchObject({ code: "storage/closed" });
});

test("the bytes of a blob may be read once", async () => {
  const storage = await openFor(await temporaryFolder());
  await storage.blobs.write("a", bytes);
  const blob = await storage.blobs.read("a");
  const read = async () => {
    for await (const _ of blob?.bytes ?? []);
  };
  await read();
  await expect(read()).rejects.toMatchObject({ code: "usage/invalid-argument" });
});

test("the state is kept out of git once, and stays in when somebody wants it there", async () => {
  const folder = await temporaryFolder();
  await (await openFileStorage(folder)).close();
  const path = join(folder, ".state", ".gitignore");
  expect(await readFile(path, "utf8")).toBe("*\n");
  await writeFile(path, "drafts/\n");
  await (await openFileStorage(folder)).close();
  expect(await readFile(path, "utf8")).toBe("drafts/\n");
});

test("ten thousand entries page through whole and in order", async () => {
  const folder = await temporaryFolder();
  const storage = await openFor(folder, { fsync: false });
  await mkdir(join(folder, "many"));
  const names = Array.from({ length: 10_000 }, (_, n) => `n${String(n).padStart(5, "0")}.txt`);
  for (let start = 0; start < names.length; start += 500) {
    await Promise.all(names.slice(start, start + 500).map((name) => writeFile(join(folder, "many", name), name)));
  }
  const listed: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await storage.blobs.list("many/", { limit: 3000, cursor });
    listed.push(...page.items.map(({ key }) => key));
    cursor = page.cursor;
    if (cursor === undefined) break;
  }
  expect(listed).toEqual(names.map((name) => `many/${name}`));
}, 120_000);

test("a large blob of which only the iterator is left is read to its end, whatever is collected meanwhile", async () => {
  const storage = await openFor(await temporaryFolder());
  await storage.blobs.write("large", Buffer.alloc(4_000_000, "x"));
  const start = async () => (await storage.blobs.read("large"))?.bytes[Symbol.asyncIterator]();
  const bytes = await start();
  setFlagsFromString("--expose-gc");
  let size = 0;
  for (let next = await bytes?.next(); next !== undefined && !next.done; next = await bytes?.next()) {
    size += next.value.byteLength;
    runInNewContext("gc")();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(size).toBe(4_000_000);
});

test("a write writes through every folder above it that another process may have made a moment ago, and once is enough", async () => {
  const folder = join(await temporaryFolder(), "base");
  const report = JSON.parse(await runFixture("synced-folders", [folder])) as Record<string, string[]>;
  const state = ".state/blobs";
  // Up to the root of the file system, since the base may be new as well.
  expect(report.first).toEqual(expect.arrayContaining(["", "..", "../..", ".state", state]));
  const deep = (...parts: string[]) => parts.map((part) => `${state}/${part}`);
  expect(report.made).toEqual(["", state, ...deep("a.d", "a.d/b.d", "a.d/b.d/c.d"), "a", "a/b", "a/b/c"].sort());
  expect(report.known).toEqual([...deep("a.d/b.d/c.d"), "a/b/c"].sort());
  // Removed and made again, a folder is another.
  expect(report.again).toEqual([...deep("a.d/b.d/c.d"), "a", "a/b", "a/b/c"].sort());
  expect(report.record).toEqual([".state", ".state/records", ".state/records/r.d", ".state/records/r.d/s.d"]);
});
