import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { smallDiskOrSkip } from "@artificer/testkit/confinement";
import { expect, it } from "vitest";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();
const program = fileURLToPath(new URL("session-on-full-disk.mjs", import.meta.url));

it("a session on a full disk goes on: outcomes come back and say what was not kept, what was kept is read, and with room again all is kept [P8]", async (context) => {
  const [base, elsewhere] = [await temp(), await temp()];
  const [command = "", ...before] = await smallDiskOrSkip(context, base, { megabytes: 6 });
  const args = [...before, process.execPath, program, base, elsewhere];
  const report = JSON.parse((await promisify(execFile)(command, args)).stdout);
  const notKept = (what: string) => [expect.stringMatching(new RegExp(`The ${what} could not be kept: .*no space`))];
  expect(report).toMatchObject({
    savedBefore: ["x"],
    // What a cell saves itself, it is told of.
    working: { status: "completed", value: ["storage/full", "storage/full", "storage/full"] },
    byHost: [expect.stringMatching(/^storage\/full: Free some space/), expect.stringMatching(/^storage\/full: /)],
    printing: { status: "completed", value: "end", notices: notKept("stdout of cell 3") },
    large: { status: "completed", notices: notKept("value of cell 4") },
    // What was there is there, and nothing of what was refused.
    reading: {
      status: "completed",
      value: [{ n: 1 }, "kept", [1, 2], false],
      notices: [expect.stringMatching(/^The variables could not be saved or restored: .*no space/)],
    },
    again: { status: "completed", value: "newer", notices: [] },
    savedAgain: ["x", "y", "codes"],
    later: { status: "completed", value: [[1, 2], 100_000, { n: 2 }, { n: 1 }] },
    // The journal was held in memory while it could not be written.
    history: [1, 2, 3, 4, 5, 6, 7].flatMap((cell) => [`cell ${cell}`, `outcome ${cell}`]),
  });
  expect(report.problems.filter((problem: string) => problem.startsWith("storage/full"))).toEqual([
    expect.stringContaining("The journal of session s can't be written"),
    expect.stringContaining(join("snapshots.d", "s.d", "python.json")),
  ]);
}, 120_000);
