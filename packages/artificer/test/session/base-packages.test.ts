import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Session } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();
let session: Session | undefined;
afterEach(() => session?.close());

async function install(folder: string, name: string, word: string): Promise<void> {
  const place = join(folder, "node_modules", name);
  await mkdir(place, { recursive: true });
  await writeFile(join(place, "package.json"), JSON.stringify({ name, version: "1.0.0", main: "index.js" }));
  await writeFile(join(place, "index.js"), `exports.word = ${JSON.stringify(word)};\n`);
}

async function open(manifest: string | object) {
  const base = await temp();
  const cwd = await temp();
  await writeFile(join(base, "config.yaml"), "embeddings: { engine: none }\n");
  const text = typeof manifest === "string" ? manifest : JSON.stringify(manifest);
  await writeFile(join(base, "package.json"), text);
  return { base, cwd, start: async () => (session = await Session.fromBase(base, { cwd })) };
}

describe("the package.json of a base [P1]", () => {
  it("names packages that TypeScript cells import from its node_modules, after those of the session's own folder", async () => {
    const { base, cwd, start } = await open({ dependencies: { "of-base": "1", "of-both": "1" } });
    await install(base, "of-base", "base");
    await install(base, "of-both", "base");
    await install(cwd, "of-both", "folder");
    const session = await start();
    expect(session.problems).toEqual([]);
    const run = (code: string) => session.run(code, { language: "typescript" });
    expect(
      await run('import { word } from "of-base"; import { word as both } from "of-both"; [word, both]'),
    ).toMatchObject({
      value: ["base", "folder"],
    });
    expect(await run('[require("of-base").word, require("of-both").word]')).toMatchObject({
      value: ["base", "folder"],
    });
    const nowhere = await run('import "of-nobody"');
    expect(nowhere.error?.message).toContain("of-nobody");
    expect(nowhere.error?.message).toContain(cwd);
  });

  it("is told about where it names what is not installed, or is none", async () => {
    const missing = await open({ dependencies: { "of-base": "1", "not-there": "^2" } });
    await install(missing.base, "of-base", "base");
    const { problems } = await missing.start();
    expect(problems).toMatchObject([
      {
        code: "dep/missing",
        message: expect.stringMatching(/installed: not-there\.$/),
        hint: expect.stringContaining("npm install"),
      },
    ]);
    await session?.close();
    for (const text of ["{", "[]", '{"dependencies": 3}']) {
      const broken = await open(text);
      expect((await broken.start()).problems).toMatchObject([
        { code: "config/invalid", file: expect.stringContaining("package.json") },
      ]);
      await session?.close();
    }
  });
});
