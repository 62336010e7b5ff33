import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type FromBaseOptions, Session } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();
const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

async function open(folder: string, options: FromBaseOptions = {}): Promise<Session> {
  const session = await Session.fromBase(folder, { id: "one", embedder: null, ...options });
  sessions.push(session);
  return session;
}

describe("variables kept as data alone [Y5-8]", () => {
  it("by config.yaml: what is no plain data is named, and what is comes back", async () => {
    const folder = await temp();
    await writeFile(join(folder, "config.yaml"), "snapshots: {format: data}\n");
    const first = await open(folder);
    await first.run(
      "import collections\nrows = [{'n': 1, 'at': b'x'}]\ncounts = collections.Counter('aab')\ndef f(): return rows",
    );
    await first.run("const table = new Map([[1, { of: [2] }]])", { language: "typescript" });
    expect((await first.snapshot())?.skipped).toEqual([
      { name: "counts", reason: "it holds a Counter, which is no plain data" },
    ]);
    await first.close();
    const second = await open(folder);
    const outcome = await second.run("f() is rows, rows, 'counts' in globals()");
    expect(outcome.value).toEqual([true, [{ n: 1, at: new Uint8Array([120]) }], false]);
    expect(outcome.notices.join("\n")).toContain("Not restored: counts (it holds a Counter");
    expect((await second.run("table.get(1).of[0]", { language: "typescript" })).value).toBe(2);
  });

  it("unpickle nothing that an earlier session has pickled, and say so", async () => {
    const [folder, cwd] = [await temp(), await temp()];
    const first = await open(folder, { cwd });
    await first.run(
      "class Trap:\n    def __setstate__(self, state): open('sprung', 'w').close()\ntrap = Trap(); trap.x = 1\nplain = [1]",
    );
    await first.close();
    const second = await open(folder, { cwd, snapshot: { format: "data" } });
    const outcome = await second.run("'plain' in globals()");
    expect(outcome.value).toBe(false);
    expect(outcome.notices.join("\n")).toMatch(
      /Not restored: .*plain \(it was pickled, and this session unpickles nothing/,
    );
    expect(existsSync(join(cwd, "sprung"))).toBe(false);
    await second.close();
    // Where it may be read it would have sprung.
    await (await open(folder, { cwd })).run("1");
  });

  it("are refused by name in a format that there isn't", async () => {
    const folder = await temp();
    expect(() => new Session({ embedder: null, snapshot: { format: "json" as never } })).toThrow(
      expect.objectContaining({ code: "usage/invalid-argument", message: expect.stringContaining("pickle or data") }),
    );
    await writeFile(join(folder, "config.yaml"), "snapshots: {format: json}\n");
    await expect(open(folder)).rejects.toMatchObject({
      code: "config/invalid",
      message: expect.stringContaining("snapshots.format"),
    });
  });
});
