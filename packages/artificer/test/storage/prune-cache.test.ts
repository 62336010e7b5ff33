import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStorage } from "@artificer/runtime";
import { expect, onTestFinished, test } from "vitest";
import { layOutStoredTools } from "../../src/storage/store-settings.js";

test("[P12] definitions laid out from a store go after thirty days in which no session opened them, and those in use stay", async () => {
  const base = await mkdtemp(join(tmpdir(), "artificer-cache-"));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const cache = join(base, "stored-tools");
  const storage = createMemoryStorage();
  const bytes = new TextEncoder().encode("name: shop\n");
  await storage.blobs.write("tools/shop.yaml", bytes);
  const first = await layOutStoredTools(storage, base, cache);
  const used = await readdir(cache);
  const days = (count: number) => new Date(Date.now() - count * 24 * 3_600_000);
  for (const [name, age] of [
    ["older", 31],
    ["younger", 29],
  ] as const) {
    await mkdir(join(cache, name));
    await writeFile(join(cache, name, "mcp.json"), "{}");
    await utimes(join(cache, name), days(age), days(age));
  }
  await utimes(join(cache, used[0]!), days(40), days(40));
  expect((await layOutStoredTools(storage, base, cache))?.folder).toBe(first?.folder);
  expect((await readdir(cache)).sort()).toEqual([...used, "younger"].sort());
  await storage.blobs.write("tools/shop.yaml", new TextEncoder().encode("name: other\n"));
  await layOutStoredTools(storage, base, cache);
  expect(await readdir(cache)).toContain(used[0]);
});
