import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type FromBaseOptions, Session } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();
const sessions: Session[] = [];

async function open(folder: string, options: FromBaseOptions = {}): Promise<Session> {
  const session = await Session.fromBase(folder, { id: "one", embedder: null, limits: { graceMs: 500 }, ...options });
  sessions.push(session);
  return session;
}

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

describe("variables of a session [A7]", () => {
  it("are there again in another process's session of the same id, and its first cell says so", async () => {
    const folder = await temp();
    const first = await open(folder);
    await first.run("import math\nx = [1, 2]\ny = x\ndef area(r):\n    return math.pi * r * r");
    await first.run("import threading\nlock = threading.Lock()\nx.append(3)");
    await first.close();

    const second = await open(folder);
    expect(await second.value("x")).toEqual([1, 2, 3]);
    const outcome = await second.run("y.append(4)\nx, round(area(1), 2)");
    expect(outcome.value).toEqual([[1, 2, 3, 4], 3.14]);
    expect(outcome.cell).toBe(3);
    expect(outcome.notices.join("\n")).toMatch(/restored as they were after cell 2: .*x, y/);
    expect(outcome.notices.join("\n")).toMatch(/Not restored: lock \(.*lock/);
    expect((await second.run("1")).notices).toEqual([]);
  });
});
