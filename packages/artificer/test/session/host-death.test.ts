import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
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

async function startHost(stagingRoot: string, marker: string): Promise<ChildProcess> {
  // LC_* passes to every kernel, those in reserve too, and from there to what they start.
  const child = spawn(process.execPath, [host, stagingRoot], {
    env: { ...process.env, LC_ARTIFICER_TEST: marker },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout!, "data");
  return child;
}

describe("the death of a host", () => {
  it("leaves no process and no folder behind, whenever it comes and whatever its kernels were doing [M12]", {
    timeout: 240_000,
  }, async () => {
    const stagingRoot = join(await temp(), "staging");
    const delaysMs = Array.from({ length: 24 }, (_, at) => (at < 20 ? at * 60 + Math.random() * 60 : 1800 + at * 20));
    for (let at = 0; at < delaysMs.length; at += 3) {
      const marker = randomUUID();
      // The last ones die with all their cells under way.
      const grown = at + 3 >= delaysMs.length;
      const doomed = delaysMs.slice(at, at + 3).map(async (delayMs) => {
        const child = await startHost(stagingRoot, marker);
        if (grown) await expect.poll(() => carrying(marker).length, { timeout: 60_000 }).toBeGreaterThan(20);
        else await delay(delayMs);
        child.kill("SIGKILL");
        await once(child, "exit");
      });
      await Promise.all(doomed);
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
