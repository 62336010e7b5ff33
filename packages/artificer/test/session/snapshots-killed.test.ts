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
/** Sessions that are killed side by side, since a round mostly waits for processes to start. */
const lanes = 2;
const rounds = 50;

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

it(`sessions whose process is killed at random moments, ${lanes * rounds} times, find all their variables of one moment each time [A7]`, async () => {
  const seeds = Array.from({ length: lanes }, () => randomInt(2 ** 31));
  const tallies = await Promise.all(seeds.map((seed) => killAgainAndAgain(seed)));
  const total = (what: keyof Tally) => tallies.reduce((sum, tally) => sum + tally[what], 0);
  expect(total("lost"), `no kill came between a cell and its save (seeds ${seeds})`).toBeGreaterThan(0);
  expect(total("early"), `no kill came in a start (seeds ${seeds})`).toBeGreaterThan(0);
  expect(total("begun"), `seeds ${seeds}`).toBeGreaterThan(lanes * rounds);
}, 600_000);

async function killAgainAndAgain(seed: number): Promise<Tally> {
  const random = seeded(seed);
  const folder = await temp();
  const tally: Tally = { begun: 0, saved: 0, lost: 0, early: 0 };
  for (let round = 0; round < rounds; round++) {
    // One in eight dies at any moment of its start; the others after some lines, at whatever they are doing then.
    const told = await (random() < 0.125
      ? runUntil(folder, { lines: 0, thenMs: random() * 400 })
      : runUntil(folder, { lines: 2 + Math.floor(random() * 12), thenMs: random() * 30 }));
    const context = `round ${round} of seed ${seed}`;
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
  // What the killed left behind is bounded: blobs of a save that never got its manifest.
  const blobs = await readdir(join(folder, "snapshots"), { recursive: true, withFileTypes: true });
  expect(blobs.filter((entry) => entry.isFile()).length).toBeLessThan(rounds * 8);
  return tally;
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
async function runUntil(folder: string, { lines, thenMs }: { lines: number; thenMs: number }): Promise<string[]> {
  const child = spawn(process.execPath, [fixture, folder], { stdio: ["ignore", "pipe", "inherit"] });
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
