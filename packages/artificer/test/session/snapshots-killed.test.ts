import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();
const fixture = fileURLToPath(new URL("../fixtures/cells-until-killed.mjs", import.meta.url));
const rounds = 30;

interface Found {
  n: number;
  history: number[];
  alias: boolean;
  bulk: number[];
  step: boolean;
}

it(`a session whose process is killed at random moments, ${rounds} times, finds all its variables of one moment each time [A7]`, async () => {
  const folder = await temp();
  let saved = 0;
  let begun = 0;
  let lost = 0;
  for (let round = 0; round < rounds; round++) {
    const child = spawn(process.execPath, [fixture, folder], { stdio: ["ignore", "pipe", "inherit"] });
    let told = "";
    const enough = new Promise<void>((resolve) => {
      child.stdout.on("data", (data: Buffer) => {
        told += data.toString();
        // Killed after another number of lines each round, at whatever it is doing then.
        if (told.split("\n").length > 2 + ((round * 7) % 11)) resolve();
      });
      child.once("close", () => resolve());
    });
    await enough;
    await new Promise((resolve) => setTimeout(resolve, (round * 13) % 29));
    child.kill("SIGKILL");
    await once(child, "close");

    const lines = told.trim().split("\n");
    expect(lines.filter((line) => line.startsWith("broken"))).toEqual([]);
    const found = JSON.parse(lines[0]!.slice("found ".length)) as Found;
    // One moment: every variable is as it was after the same cell.
    expect(found.history).toEqual(Array.from({ length: found.n }, (_, index) => index + 1));
    expect(found.alias).toBe(true);
    const latest = found.history.slice(-7).map((n) => n * 1000);
    expect(found.bulk).toEqual(latest);
    // What was acknowledged is there, and nothing that never ran.
    expect(found.n).toBeGreaterThanOrEqual(saved);
    expect(found.n).toBeLessThanOrEqual(begun);
    if (found.n < begun) lost++;
    saved = found.n;
    begun = found.n;
    for (const line of lines) {
      const [verb, n] = line.split(" ");
      if (verb === "begin") begun = Number(n);
      if (verb === "saved") saved = Number(n);
    }
  }
  expect(lost, "no kill came between a cell and its save").toBeGreaterThan(0);
  expect(begun).toBeGreaterThan(rounds);
  // What the killed left behind is bounded: blobs of a save that never got its manifest.
  const blobs = await readdir(join(folder, "snapshots"), { recursive: true, withFileTypes: true });
  expect(blobs.filter((entry) => entry.isFile()).length).toBeLessThan(rounds * 8);
}, 300_000);
