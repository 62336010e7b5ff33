import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { Session } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();
const host = fileURLToPath(new URL("./doomed-host.mjs", import.meta.url));

/** Processes that carry the marker in their environment, whoever their parent is. */
function carrying(marker: string): string[] {
  return execFileSync("ps", ["axeww", "-o", "stat=,pid=,command="], { maxBuffer: 2 ** 26 })
    .toString()
    .split("\n")
    .filter((line) => line.includes(marker) && !line.startsWith("Z"))
    .map((line) => line.slice(0, 80));
}

/** Hosts that die side by side, and how often. */
const lanes = 3;
const rounds = 8;
const hosts: ChildProcess[] = [];
afterEach(() => {
  for (const child of hosts.splice(0)) child.kill("SIGKILL");
});

async function startHost(stagingRoot: string, marker: string): Promise<ChildProcess> {
  // LC_* passes to every kernel, those in reserve too, and from there to what they start.
  const child = spawn(process.execPath, [host, stagingRoot], {
    env: { ...process.env, LC_ARTIFICER_TEST: marker },
    stdio: ["ignore", "pipe", "inherit"],
  });
  hosts.push(child);
  await once(child.stdout!, "data");
  return child;
}

describe("the death of a host", () => {
  it("leaves no process and no folder behind, whenever it comes and whatever its kernels were doing [M12]", {
    timeout: 240_000,
  }, async () => {
    const stagingRoot = join(await temp(), "staging");
    // The first ones die at any moment of their kernels' starts, the last ones with all their cells under way.
    for (let round = 0; round < rounds; round++) {
      const marker = randomUUID();
      const doomed = await Promise.all(Array.from({ length: lanes }, () => startHost(stagingRoot, marker)));
      const grown = round === rounds - 1;
      if (grown) await expect.poll(() => carrying(marker).length).toBeGreaterThan(10 * lanes);
      const deaths = doomed.map(async (child, lane) => {
        if (!grown) await delay((round * lanes + lane + Math.random()) * 30);
        const exited = once(child, "exit");
        child.kill("SIGKILL");
        await exited;
      });
      await Promise.all(deaths);
      await expect.poll(() => carrying(marker)).toEqual([]);
    }
    // What a kernel could not remove itself, the next session does.
    const session = new Session({ embedder: null, mode: "strict", stagingRoot });
    expect((await session.run("1")).status).toBe("completed");
    expect(await readdir(stagingRoot)).toHaveLength(1);
    await session.close();
    expect(await readdir(stagingRoot)).toEqual([]);
  });
});
