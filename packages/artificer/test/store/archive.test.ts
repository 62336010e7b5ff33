import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStorage } from "@artificer/runtime";
import { create, extract } from "tar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openImport, transferStores, writeArchive } from "../../src/store/index.js";

const folder = mkdtempSync(join(tmpdir(), "artificer-archive-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, "store.tar.gz");
const source = { storage: createMemoryStorage(), location: "memory:source" };
beforeAll(async () => {
  await source.storage.blobs.write("artifacts/a", Buffer.from("alpha"));
  await source.storage.blobs.write("artifacts/b", Buffer.alloc(300_000, "beta"));
  await writeArchive(file, source, { kinds: ["artifacts"] });
});

describe("An export", () => {
  it("that was cut short, changed, or is none is refused before anything is taken from it [P12]", async () => {
    const cut = join(folder, "cut.tar.gz");
    writeFileSync(cut, readFileSync(file));
    truncateSync(cut, readFileSync(cut).byteLength - 200);
    await expect(openImport(cut)).rejects.toMatchObject({ code: "store/archive-invalid" });

    const unpacked = mkdtempSync(join(folder, "unpacked-"));
    await extract({ file, cwd: unpacked });
    writeFileSync(join(unpacked, "blobs/0"), "other");
    const changed = join(folder, "changed.tar.gz");
    await create({ file: changed, cwd: unpacked, gzip: true }, readdirSync(unpacked));
    await expect(openImport(changed)).rejects.toMatchObject({
      code: "store/archive-invalid",
      message: expect.stringContaining("artifacts/a is damaged"),
    });
    rmSync(join(unpacked, "manifest.json"));
    const headless = join(folder, "headless.tar.gz");
    await create({ file: headless, cwd: unpacked, gzip: true }, readdirSync(unpacked));
    await expect(openImport(headless)).rejects.toMatchObject({ message: expect.stringContaining("no manifest") });
    const noise = join(folder, "noise");
    writeFileSync(noise, "this is no archive");
    await expect(openImport(noise)).rejects.toMatchObject({ code: "store/archive-invalid" });
    await expect(openImport(join(folder, "absent"))).rejects.toMatchObject({ code: "store/archive-invalid" });
  });

  it("can't put a file anywhere, whatever its manifest says", async () => {
    const unpacked = mkdtempSync(join(folder, "evil-"));
    await extract({ file, cwd: unpacked });
    const manifest = JSON.parse(readFileSync(join(unpacked, "manifest.json"), "utf8"));
    manifest.blobs[0].key = "../../escaped";
    writeFileSync(join(unpacked, "manifest.json"), JSON.stringify(manifest));
    const evil = join(folder, "evil.tar.gz");
    await create({ file: evil, cwd: unpacked, gzip: true }, readdirSync(unpacked));
    await expect(openImport(evil)).rejects.toMatchObject({ code: "store/archive-invalid" });
    expect(existsSync(join(folder, "..", "escaped"))).toBe(false);
  });

  it("is the same store a moment later: a newer one replaces what came from the older, and never what was changed since", async () => {
    const target = { storage: createMemoryStorage(), location: "memory:target" };
    const bring = async (from: string) => {
      const archive = await openImport(from);
      const report = await transferStores(target, archive, { direction: "pull" });
      await archive.close();
      return report;
    };
    await bring(file);
    const newer = join(folder, "newer.tar.gz");
    await source.storage.blobs.write("artifacts/a", Buffer.from("alpha 2"));
    await source.storage.blobs.write("artifacts/b", Buffer.from("beta 2"));
    await target.storage.blobs.write("artifacts/b", Buffer.from("changed by somebody"));
    await writeArchive(newer, source, { kinds: ["artifacts"] });
    const report = await bring(newer);
    expect(report.conflicts).toEqual(["artifacts/b"]);
    expect((await target.storage.blobs.stat("artifacts/a"))?.size).toBe("alpha 2".length);
  });

  it("leaves nothing behind when it can't be written", async () => {
    const ended = new AbortController();
    const writing = writeArchive(join(folder, "never.tar.gz"), source, {
      kinds: ["artifacts"],
      signal: ended.signal,
      onProgress: () => ended.abort(new Error("enough")),
    });
    await expect(writing).rejects.toThrow("enough");
    expect(readdirSync(folder).filter((name) => name.includes("never"))).toEqual([]);
  });
});
