import assert from "node:assert/strict";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import type { Lease } from "@artificer/protocol";
import { startProgram } from "./run-program.js";
import { openTarget, type ProgramTarget } from "./shared-storage.js";

/**
 * Lets a process whose clock is hours off, and jumps, take leases; sees that a long one stays its own, a short one ends, and that what it
 * wrote is there.
 */
export async function holdByWrongClock(target: ProgramTarget, hours: number): Promise<void> {
  const child = startProgram("hold-lease", target, [String(hours)]);
  const storage = await openTarget(target);
  try {
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    const [line] = (await once(lines, "line")) as [string];
    const told = JSON.parse(line) as { long?: Lease; short?: Lease; renewed: boolean };
    assert.ok(told.long && told.short && told.renewed, `the other process got ${line}`);
    const { leases, records } = storage;
    assert.ok(leases);
    assert.equal(await leases.acquire("clock/long", { ttlMs: 1_000 }), undefined, "two hold it");
    let next: Lease | undefined;
    while (next === undefined) {
      await delay(50);
      next = await leases.acquire("clock/short", { ttlMs: 1_000 });
    }
    assert.ok(next.token > told.short.token);
    assert.deepEqual((await records.get("clock/record"))?.value, { hours });
    await leases.release(told.long);
    await leases.release(next);
  } finally {
    child.kill("SIGKILL");
    await storage.close();
  }
}
