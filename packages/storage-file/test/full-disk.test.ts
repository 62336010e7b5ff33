import { join } from "node:path";
import { smallDiskOrSkip } from "@artificer/testkit/confinement";
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

test("on a full disk writes are storage/full, acknowledged ones stay whole, and deleting makes room again [P8]", async (context) => {
  const folder = await temporaryFolder();
  const report: unknown = JSON.parse(
    await runFixture("fill-disk", [folder, "small-disk"], await smallDiskOrSkip(context, folder)),
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

test("wherever in a change the disk gets full, the change is storage/full and the old version is there whole; deleting still works [P8]", async (context) => {
  const folder = await temporaryFolder();
  const disk = await smallDiskOrSkip(context, folder);
  const report: unknown = JSON.parse(
    await runFixture("nearly-full", [join(folder, "base"), join(folder, "ballast")], disk),
  );
  const either = ["done", "storage/full"];
  expect(report).toEqual({
    faults: [],
    // Both were met, so the disk got full in the midst of each.
    seen: { replace: either, create: either, put: either, lease: either, delete: ["done"], remove: ["done"] },
  });
}, 60_000);
