import { execFileSync } from "node:child_process";
import fs, {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  statfsSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { createFolderWatches } from "../../src/watch/folder-watches.js";
import { openFor, temporaryFolder } from "../open-temporary.js";

const text = Buffer.from;
const many = 300;

type Opened = Awaited<ReturnType<typeof openFor>>;

/** The version once two looks agree: right after a change nobody can be sure that another one would be seen. */
async function settled({ watch }: Opened, prefix: string): Promise<string> {
  for (let last = await watch?.version(prefix); ; await delay(20)) {
    const now = await watch?.version(prefix);
    if (now !== undefined && now === last) return now;
    last = now;
  }
}

/** Counts the files that are looked at, by whomever in this process. */
function countLooks(): { count: number } {
  const looks = { count: 0 };
  const { lstat } = fs.promises;
  fs.promises.lstat = ((...args: Parameters<typeof lstat>) => {
    if (/\.(py|json)$/.test(String(args[0]))) looks.count++;
    return lstat(...args);
  }) as typeof lstat;
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.promises.lstat = lstat;
    syncBuiltinESMExports();
  });
  return looks;
}

async function openMany(): Promise<{ folder: string; storage: Opened }> {
  const folder = await temporaryFolder();
  const storage = await openFor(folder, { fsync: false });
  mkdirSync(join(folder, "skills"));
  for (let n = 0; n < many; n++) writeFileSync(join(folder, "skills", `s${n}.py`), "one");
  await storage.records.put("skills/r", { n: 1 });
  return { folder, storage };
}

async function isTold(folder: string): Promise<boolean> {
  const watches = createFolderWatches();
  const found = await watches.begin(folder);
  watches.close();
  return found !== undefined;
}

test("while nothing changes, a version costs no look at any file where the system tells of changes, and a look at each elsewhere and now and then", async () => {
  const { folder, storage } = await openMany();
  const first = await settled(storage, "skills/");
  const looks = countLooks();
  // However slow this machine is, no time passes.
  const now = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => now.mockRestore());
  for (let n = 0; n < 5; n++) expect(await storage.watch?.version("skills/")).toBe(first);
  expect(looks.count).toBe((await isTold(folder)) ? 0 : 5 * (many + 1));

  // What the system failed to tell of is found all the same, some time later.
  now.mockReturnValue(performance.now() + 60_000);
  looks.count = 0;
  expect(await storage.watch?.version("skills/")).toBe(first);
  expect(looks.count).toBe(many + 1);
});

/** Each is over, made by a call that blocks, when the version is asked for: nothing of it can have been told of yet. */
const changes: Array<[string, (folder: string) => void]> = [
  ["a file written to in place, as long as before", (folder) => writeFileSync(join(folder, "s7.py"), "two")],
  ["one appended to", (folder) => appendFileSync(join(folder, "s7.py"), "more")],
  ["one cut short", (folder) => truncateSync(join(folder, "s7.py"), 1)],
  ["one touched", (folder) => utimesSync(join(folder, "s7.py"), new Date(), new Date(1e12))],
  ["a new one", (folder) => writeFileSync(join(folder, "new.py"), "one")],
  ["one deleted", (folder) => rmSync(join(folder, "s8.py"))],
  ["one renamed", (folder) => renameSync(join(folder, "s9.py"), join(folder, "t9.py"))],
  [
    "one replaced by another",
    (folder) => {
      writeFileSync(join(dirname(folder), ".draft"), "six");
      renameSync(join(dirname(folder), ".draft"), join(folder, "s10.py"));
    },
  ],
  [
    "a folder with one in it",
    (folder) => {
      mkdirSync(join(folder, "deep", "deeper"), { recursive: true });
      writeFileSync(join(folder, "deep", "deeper", "a.py"), "one");
    },
  ],
  ["one in that folder", (folder) => appendFileSync(join(folder, "deep", "deeper", "a.py"), "more")],
  [
    "another file by another process",
    (folder) => execFileSync("sh", ["-c", `printf two > '${join(folder, "s11.py")}'`]),
  ],
  [
    "more at once than the system keeps in mind",
    (folder) => {
      for (let round = 0; round < 60; round++)
        for (let n = 20; n < many; n++) appendFileSync(join(folder, `s${n}.py`), "!");
    },
  ],
  [
    "the folder emptied, removed and made again",
    (folder) => {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      writeFileSync(join(folder, "s7.py"), "one");
    },
  ],
  ["a file in the folder that was made again", (folder) => writeFileSync(join(folder, "s7.py"), "two")],
  [
    "the folder changed for another",
    (folder) => {
      mkdirSync(join(dirname(folder), ".other"));
      writeFileSync(join(dirname(folder), ".other", "s7.py"), "two");
      renameSync(folder, join(dirname(folder), ".before"));
      renameSync(join(dirname(folder), ".other"), folder);
    },
  ],
  ["a file in that other folder", (folder) => appendFileSync(join(folder, "s7.py"), "more")],
];

test("every change by hand gives a new version to the very next look, of each prefix that it is under", async () => {
  const { folder, storage } = await openMany();
  const had = new Map<string, Set<string>>([
    ["skills/", new Set()],
    ["", new Set()],
  ]);
  for (const [what, change] of changes) {
    for (const [prefix, versions] of had) versions.add(await settled(storage, prefix));
    change(join(folder, "skills"));
    for (const [prefix, versions] of had) {
      const version = await storage.watch?.version(prefix);
      expect(versions, `${what}, under ${JSON.stringify(prefix)}`).not.toContain(version);
    }
  }
});

test("what is made where nothing was is seen: the first record of all, and the first file of a folder", async () => {
  const folder = await temporaryFolder();
  const [storage, other] = [await openFor(folder, { fsync: false }), await openFor(folder, { fsync: false })];
  const [records, files] = [await settled(storage, "notes/deep/"), await settled(storage, "skills/")];
  await other.records.put("notes/deep/r", { n: 1 });
  expect(await storage.watch?.version("notes/deep/")).not.toBe(records);
  await other.blobs.write("skills/a.py", text("one"));
  expect(await storage.watch?.version("skills/")).not.toBe(files);
});

test("a watch ends with the first change, with the folder, and when it is closed; nothing is watched on other systems", async (context) => {
  const folder = await temporaryFolder();
  expect(await createFolderWatches("darwin").begin(folder)).toBeUndefined();
  const watches = createFolderWatches();
  onTestFinished(() => watches.close());
  const changed = await watches.begin(folder);
  const type = statfsSync(tmpdir()).type.toString(16);
  context.skip(changed === undefined, `a file system of the type ${type} is not relied on to tell of changes`);
  expect(await watches.begin(folder)).toEqual(changed);
  writeFileSync(join(folder, "a"), "one");
  await watches.settle();
  expect(changed?.map(({ quiet }) => quiet)).toEqual([false]);

  mkdirSync(join(folder, "sub"));
  const removed = await watches.begin(join(folder, "sub"));
  const missing = await watches.begin(join(folder, "none", "at", "all"));
  await watches.settle();
  expect([...(removed ?? []), ...(missing ?? [])].map(({ quiet }) => quiet)).toEqual([true, true]);
  rmSync(join(folder, "sub"), { recursive: true });
  await watches.settle();
  expect(removed?.[0]?.quiet).toBe(false);
  const last = await watches.begin(folder);
  watches.close();
  expect(last?.[0]?.quiet).toBe(false);
  expect(await watches.begin(folder)).toBeUndefined();
});
