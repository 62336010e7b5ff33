import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type FileStorage, openFileStorage } from "../src/open-file-storage.js";
import { temporaryFolder } from "./open-temporary.js";
import { startFixture } from "./run-fixture.js";

type Version = "absent" | "old" | "new";

async function blobVersion(storage: FileStorage, key: string): Promise<Version> {
  const blob = await storage.blobs.read(key);
  if (blob === undefined) {
    expect(await storage.blobs.stat(key)).toBeUndefined();
    return "absent";
  }
  let text = "";
  for await (const chunk of blob.bytes) text += Buffer.from(chunk).toString();
  const { version } = blob.info.metadata as { version: Version };
  expect(text, "bytes and metadata are of two versions").toBe(`${version} bytes`);
  expect(blob.info.revision).not.toMatch(/^edited/);
  return version;
}

async function recordVersion(storage: FileStorage): Promise<Version> {
  return ((await storage.records.get("r"))?.value.version as Version | undefined) ?? "absent";
}

const cases: Array<{
  operation: string;
  look: (storage: FileStorage) => Promise<Version>;
  versions: [Version, Version];
}> = [
  { operation: "replace", look: (storage) => blobVersion(storage, "notes/a.txt"), versions: ["old", "new"] },
  { operation: "create", look: (storage) => blobVersion(storage, "notes/b.txt"), versions: ["absent", "new"] },
  { operation: "delete", look: (storage) => blobVersion(storage, "notes/a.txt"), versions: ["old", "absent"] },
  { operation: "put", look: recordVersion, versions: ["old", "new"] },
  { operation: "remove", look: recordVersion, versions: ["old", "absent"] },
];

for (const { operation, look, versions } of cases) {
  test(`a process that dies before any single step of a ${operation} leaves the one version or the other, whole [P8]`, async () => {
    const folder = join(await temporaryFolder(), "base");
    const seen = new Set<Version>();
    let finished = false;
    for (let step = 1; !finished; step++) {
      await rm(folder, { recursive: true, force: true });
      const before = await openFileStorage(folder);
      await before.blobs.write("notes/a.txt", Buffer.from("old bytes"), { metadata: { version: "old" } });
      const old = await before.blobs.stat("notes/a.txt");
      await before.records.put("r", { version: "old" });
      await before.close();
      const child = startFixture("crash-at-step", [folder, operation, String(step)]);
      const [code] = (await once(child, "close")) as [number | null];
      finished = code === 0;
      expect(finished || code === null, `the child ended with ${code}`).toBe(true);

      const after = await openFileStorage(folder);
      const version = await look(after);
      expect(versions).toContain(version);
      seen.add(version);
      if (operation === "replace" && version === "old") expect(await after.blobs.stat("notes/a.txt")).toEqual(old);
      // Whatever was left half-done is in nobody's way.
      for (const key of ["notes/a.txt", "notes/b.txt"]) {
        await after.blobs.write(key, Buffer.from("new bytes"), { metadata: { version: "new" } });
        expect(await blobVersion(after, key)).toBe("new");
      }
      await after.records.put("r", { version: "new" });
      await after.close();
    }
    expect([...seen].sort()).toEqual([...versions].sort());
  }, 120_000);
}

test("what is put in the place of a blob whose deletion was cut short does not inherit its metadata", async () => {
  const folder = await temporaryFolder();
  const storage = await openFileStorage(folder);
  await storage.blobs.write("a.txt", Buffer.from("old"), { metadata: { n: 1 } });
  await storage.close();
  const sidecar = join(folder, ".state", "blobs", "a.txt.json");
  const noted = JSON.parse(await readFile(sidecar, "utf8"));
  await writeFile(sidecar, JSON.stringify({ ...noted, deleting: true }));
  await rm(join(folder, "a.txt"));
  await writeFile(join(folder, "a.txt"), "by hand");
  const again = await openFileStorage(folder);
  expect((await again.blobs.stat("a.txt"))?.metadata).toEqual({});
  await again.close();
});
