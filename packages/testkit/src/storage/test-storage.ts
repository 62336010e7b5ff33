import { describe, test } from "vitest";
import { storageCases } from "./storage-cases.js";
import type { StorageHarness } from "./storage-harness.js";

/** Registers the whole storage contract with vitest. Every driver runs all of it; what one can't do it declares. */
export function testStorage(name: string, open: () => Promise<StorageHarness>): void {
  describe(`${name} keeps the storage contract`, () => {
    for (const { id, title, timeoutMs = 120_000, needs, run } of storageCases) {
      test(`${id}: ${title}`, { timeout: timeoutMs }, async (context) => {
        const harness = await open();
        try {
          const { kind, capabilities } = harness.storage;
          context.skip(needs !== undefined && !capabilities[needs], `this ${kind} storage declares no ${needs}`);
          await run(harness);
        } finally {
          await harness.close();
        }
      });
    }
  });
}
