import { join } from "node:path";
import { createJournal } from "@artificer/runtime";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openStorage, Session } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();
afterEach(() => {
  vi.useRealTimers();
});

const hourMs = 3_600_000;

describe("a host whose clock is set back and forward while it works", () => {
  it("keeps variables, versions, artifacts and the journal in the order in which they came about [P8]", async () => {
    const base = join(await temp(), "base");
    const open = () =>
      Session.fromBase(base, {
        id: "s",
        embedder: null,
        home: join(base, "..", "home"),
        snapshot: { debounceMs: 3_600_000 },
      });
    const begun = Date.parse("2026-03-01T12:00:00Z");
    vi.useFakeTimers({ toFake: ["Date"], now: begun });
    const source = (body: string) => `def run() -> str:\n    """Tells the time."""\n    return "${body}"\n`;

    let session = await open();
    await session.run("x = ['at noon']\nartifacts.save('first', {'n': 1})");
    await session.createSkill({ name: "clock", source: source("one") });
    await session.snapshot();
    const writtenAt = async (name: string) => (await session.getArtifact(name)).updatedAt.getTime();
    expect(await writtenAt("first")).toBe(begun);

    // Back by two days: what is written now bears an earlier time than what is there.
    vi.setSystemTime(begun - 48 * hourMs);
    await session.run(
      "x.append('two days before')\nartifacts.save('second', {'n': 2})\nartifacts.save('first', {'n': 3})",
    );
    await session.createSkill({ name: "clock", source: source("two") }, { replace: true });
    await session.close();
    session = await open();
    expect(await session.value("x")).toEqual(["at noon", "two days before"]);
    expect((await session.run("[artifacts.load('first'), skills.clock()]")).value).toEqual([{ n: 3 }, "two"]);
    // The latest writing counts, whatever it says of the time.
    expect(await writtenAt("first")).toBe(begun - 48 * hourMs);

    // And forward by a day beyond the first.
    vi.setSystemTime(begun + 24 * hourMs);
    await session.run("x.append('a day later')\nartifacts.save('third', {'n': 4})");
    await session.createSkill({ name: "clock", source: source("three") }, { replace: true });
    await session.close();
    session = await open();
    expect(await session.value("x")).toEqual(["at noon", "two days before", "a day later"]);
    expect((await session.run("skills.clock()")).value).toBe("three");
    expect((await session.listArtifacts()).map(({ name }) => name)).toEqual(["first", "second", "third"]);
    await session.close();

    const storage = await openStorage(base);
    try {
      const { items } = await createJournal({ storage, session: "s" }).read();
      expect(items.map(({ seq }) => seq)).toEqual(items.map((_, index) => index + 1));
      expect(items.filter(({ kind }) => kind === "cell").map(({ cell }) => cell)).toEqual([1, 2, 3, 4, 5]);
      // Each says what the clock said then.
      const times = items.map(({ at }) => at.getTime());
      expect([...times].sort((left, right) => left - right)).not.toEqual(times);
      const versions = await storage.blobs.list("skill-versions/clock/");
      expect(versions.items.map(({ key }) => key)).toEqual([1, 2, 3].map((n) => `skill-versions/clock/${n}.py`));
    } finally {
      await storage.close();
    }
  }, 60_000);
});
