import fs, { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFor, temporaryFolder } from "../open-temporary.js";

/** The folders that are read, by whomever in this process. */
function watchReads(): string[] {
  const read: string[] = [];
  const { readdir } = fs.promises;
  fs.promises.readdir = ((...args: Parameters<typeof readdir>) => {
    read.push(String(args[0]));
    return readdir(...args);
  }) as typeof readdir;
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.promises.readdir = readdir;
    syncBuiltinESMExports();
  });
  return read;
}

const keysUnder = async (storage: Awaited<ReturnType<typeof openFor>>, prefix: string) => [
  ...(await storage.blobs.list(prefix)).items.map(({ key }) => key),
  ...(await storage.records.list(prefix)).items.map(({ key }) => key),
];

test("A listing below a folder reads that folder alone, however many lie beside it.", async () => {
  const folder = await temporaryFolder();
  const storage = await openFor(folder, { fsync: false });
  for (let n = 0; n < 30; n++) {
    await storage.blobs.write(`versions/s${n}/1.py`, Buffer.from("one"));
    await storage.records.put(`versions/s${n}/r`, { n });
  }
  const read = watchReads();
  expect(await keysUnder(storage, "versions/s7/")).toEqual(["versions/s7/1.py", "versions/s7/r"]);
  expect(read).toEqual([join(folder, "versions", "s7"), join(folder, ".state", "records", "versions.d", "s7.d")]);
});

test.each([true, false])(
  "A listing below a folder finds what lies in each of its names, and follows no link: case counts %s.",
  async (caseSensitive) => {
    const folder = await temporaryFolder();
    const storage = await openFor(folder, { fsync: false, caseSensitive });
    const long = "x".repeat(150);
    // A file has the name of the folder, which is then spelled out.
    await storage.blobs.write("a", Buffer.from("file"));
    await storage.blobs.write("a/b", Buffer.from("below"));
    await storage.blobs.write(`ä?/${long}ü${long.slice(0, 40)}/z`, Buffer.from("awkward"));
    expect(await keysUnder(storage, "a/")).toEqual(["a/b"]);
    expect(await keysUnder(storage, "a")).toEqual(["a", "a/b"]);
    expect(await keysUnder(storage, "ä?/")).toHaveLength(1);
    expect(await keysUnder(storage, `ä?/${long}ü${long.slice(0, 40)}/`)).toHaveLength(1);
    // Made by hand, beside the one that is spelled out.
    mkdirSync(join(folder, "c"));
    writeFileSync(join(folder, "c", "d"), "by hand");
    expect(await keysUnder(storage, "c/")).toEqual(["c/d"]);
    const outside = await temporaryFolder();
    writeFileSync(join(outside, "secret"), "outside");
    symlinkSync(outside, join(folder, "link"));
    expect(await keysUnder(storage, "link/")).toEqual([]);
    expect(await keysUnder(storage, "c/d/")).toEqual([]);
    expect(await keysUnder(storage, "none/at/all/")).toEqual([]);
  },
);
