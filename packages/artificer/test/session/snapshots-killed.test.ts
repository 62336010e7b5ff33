import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();
const fixture = fileURLToPath(new URL("../fixtures/cells-until-killed.mjs", import.meta.url));
/** Sessions of one process, and how often it is killed: starting a process is what takes the time, and all its sessions die at once. */
const lanes = 4;
const rounds = 25;

interface Found {
  n: number;
  history: number[];
  alias: boolean;
  bulk: number[];
  step: boolean;
}

/** What became of the cells of one session over all its rounds. */
interface Tally {
  begun: number;
  saved: number;
  /** Kills that cost a cell which had begun. */
  lost: number;
  /** Kills before the process had said anything: in its start, or while variables were restored. */
  early: number;
}

it(`processes killed at random moments, ${rounds} times with ${lanes} sessions each: all find their variables of one moment each time [A7]`, async () => {
  const seed = randomInt(2 ** 31);
  const random = seeded(seed);
  const folders = await Promise.all(Array.from({ length: lanes }, () => temp()));
  const tallies = folders.map((): Tally => ({ begun: 0, saved: 0, lost: 0, early: 0 }));
  for (let round = 0; round < rounds; round++) {
    // One in eight dies at any moment of its start; the others after some lines, at whatever they are doing then.
    const told = await (round % 8 === 0
      ? runUntil(folders, { lines: 0, thenMs: random() * 400 })
      : runUntil(folders, { lines: lanes * (2 + Math.floor(random() * 12)), thenMs: random() * 30 }));
    for (const [lane, tally] of tallies.entries()) {
      const mine = told.filter((line) => line.startsWith(`${lane} `)).map((line) => line.slice(2));
      takeStock(mine, tally, `round ${round}, session ${lane} of seed ${seed}`);
    }
  }
  const total = (what: keyof Tally) => tallies.reduce((sum, tally) => sum + tally[what], 0);
  expect(total("lost"), `no kill came between a cell and its save (seed ${seed})`).toBeGreaterThan(0);
  expect(total("early"), `no kill came in a start (seed ${seed})`).toBeGreaterThan(0);
  expect(total("begun"), `seed ${seed}`).toBeGreaterThan(lanes * rounds);
  // What the killed left behind is bounded: blobs of a save that never got its manifest.
  for (const folder of folders) {
    const blobs = await readdir(join(folder, "snapshots"), { recursive: true, withFileTypes: true });
    expect(blobs.filter((entry) => entry.isFile()).length).toBeLessThan(rounds * 8);
  }
}, 600_000);

/** What one session told in one round. */
function takeStock(told: readonly string[], tally: Tally, context: string): void {
  expect(
    told.filter((line) => line.startsWith("broken")),
    context,
  ).toEqual([]);
  if (told.length === 0) tally.early++;
  for (const line of told) {
    const [verb = "", ...rest] = line.split(" ");
    if (verb === "found") checkFound(JSON.parse(rest.join(" ")) as Found, tally, context);
    if (verb === "begin") tally.begun = Number(rest[0]);
    if (verb === "saved") tally.saved = Number(rest[0]);
  }
}

/** One moment: every variable is as it was after the same cell, what was acknowledged is there, and nothing that never ran. */
function checkFound(found: Found, tally: Tally, context: string): void {
  const history = Array.from({ length: found.n }, (_, index) => index + 1);
  expect(found, context).toMatchObject({ history, alias: true, bulk: history.slice(-7).map((n) => n * 1000) });
  expect(found.n, context).toBeGreaterThanOrEqual(tally.saved);
  expect(found.n, context).toBeLessThanOrEqual(tally.begun);
  if (found.n < tally.begun) tally.lost++;
  tally.saved = found.n;
  tally.begun = found.n;
}

/** Starts the process, kills it so long after so many lines, and gives what it has told. */
async function runUntil(folders: string[], { lines, thenMs }: { lines: number; thenMs: number }): Promise<string[]> {
  const child = spawn(process.execPath, [fixture, ...folders], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  let told = "";
  const enough = new Promise<void>((resolve) => {
    const look = () => {
      if (told.split("\n").length > lines) resolve();
    };
    child.stdout.on("data", (data: Buffer) => {
      told += data.toString();
      look();
    });
    look();
  });
  await Promise.race([enough, closed]);
  await new Promise((resolve) => setTimeout(resolve, thenMs));
  child.kill("SIGKILL");
  await closed;
  return told.split("\n").filter((line) => line !== "");
}

/** Mulberry32: the same moments again for the same seed, as far as the machine allows. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
