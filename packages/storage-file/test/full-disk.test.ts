import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryFolder } from "./open-temporary.js";
import { runFixture } from "./run-fixture.js";

const common = {
  replacing: "storage/full",
  creating: "storage/full",
  record: "storage/full",
  kept: { text: "kept", same: true },
  listed: ["kept.txt"],
  largeRecord: null,
  drafts: [],
  afterwards: "done",
};

test("a write over the file size limit is storage/full and leaves everything as it was", async () => {
  const folder = await temporaryFolder();
  const limited = ["sh", "-c", 'ulimit -f 2048; exec "$@"', "sh"];
  const report: unknown = JSON.parse(await runFixture("fill-disk", [folder, "small-files"], limited));
  expect(report).toEqual({ mode: "small-files", ...common });
}, 60_000);

test("on a full disk writes are storage/full, acknowledged ones stay whole, and deleting makes room again", async () => {
  const folder = await temporaryFolder();
  const report: unknown = JSON.parse(
    await runFixture("fill-disk", [folder, "small-disk"], await withSmallDisk(folder)),
  );
  expect(report).toEqual({
    mode: "small-disk",
    ...common,
    fillEnd: "storage/full",
    filled: true,
    replacedWhenFull: "storage/full",
    keptWhenFull: "kept",
    deletedWhenFull: ["done", "done"],
    writtenAgain: "done",
  });
}, 60_000);

/** The command that mounts a disk of 2 MB on the folder, in a mount namespace of its own, which ends with the program. */
async function withSmallDisk(folder: string): Promise<string[]> {
  const mount = ["sh", "-c", 'mount -t tmpfs -o size=2m,mode=777 tmpfs "$0" && exec "$@"', folder];
  const tried: string[] = [];
  for (const unshare of [
    ["unshare", "-m"],
    ["unshare", "-rm"],
  ]) {
    try {
      const [command = "", ...args] = [...unshare, ...mount, "true"];
      await promisify(execFile)(command, args);
      return [...unshare, ...mount];
    } catch (error) {
      tried.push(String(error));
    }
  }
  throw new Error(`This test needs root or user namespaces to mount a small disk:\n${tried.join("\n")}`);
}
