import { withSmallDisk } from "@artificer/testkit/confinement";
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
