import { chmod, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFileStorage } from "../src/open-file-storage.js";
import { temporaryFolder } from "./open-temporary.js";
import { runFixture } from "./run-fixture.js";

async function asOrdinaryUser(folder: string, scenario: string): Promise<unknown> {
  return JSON.parse(await runFixture("without-privileges", [folder, scenario]));
}

/** Takes the right to write from everything in the folder, until the test is over. */
async function makeReadOnly(folder: string): Promise<void> {
  const folders = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isDirectory(),
  );
  const paths = [folder, ...folders.map((entry) => join(entry.parentPath, entry.name))];
  for (const path of paths) await chmod(path, 0o555);
  onTestFinished(async () => {
    for (const path of paths) await chmod(path, 0o755);
  });
}

test("a folder that can only be read opens, reads, and refuses writes as storage/read-only with the way to mend it", async () => {
  const folder = await temporaryFolder();
  const storage = await openFileStorage(folder);
  await storage.blobs.write("notes/a.txt", Buffer.from("hello"), { metadata: { n: 1 } });
  await storage.records.put("r", { n: 2 });
  await storage.close();
  await writeFile(join(folder, "notes", "by-hand.txt"), "hand");
  await makeReadOnly(folder);
  const refused = {
    code: "storage/read-only",
    message: expect.stringContaining(folder),
    hint: expect.stringContaining("write permission"),
  };
  expect(await asOrdinaryUser(folder, "read-only")).toEqual({
    readOnly: true,
    text: "hello",
    byHand: "hand",
    stat: { n: 1 },
    record: { n: 2 },
    listed: ["notes/a.txt", "notes/by-hand.txt"],
    writes: [refused, refused, refused, refused],
  });
});

test("a folder that is missing and can't be made is storage/read-only naming it", async () => {
  const folder = await temporaryFolder();
  await makeReadOnly(folder);
  expect(await asOrdinaryUser(folder, "no-folder")).toEqual({
    code: "storage/read-only",
    message: expect.stringContaining(join(folder, "new", "base")),
    hint: expect.stringContaining("write permission"),
  });
});
