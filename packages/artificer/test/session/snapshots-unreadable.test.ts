import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ArtificerError, type Storage } from "@artificer/protocol";
import { createMemoryStorage } from "@artificer/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { Session } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();
const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

function keep(session: Session): Session {
  sessions.push(session);
  return session;
}

/** A memory storage that does not let go of its snapshots' records while `deaf`. */
function flaky() {
  const memory = createMemoryStorage();
  const state = { deaf: false, refused: 0 };
  const records: Storage["records"] = {
    ...memory.records,
    get: async (key, options) => {
      if (!state.deaf || !key.startsWith("snapshots/")) return memory.records.get(key, options);
      state.refused++;
      throw new ArtificerError("storage/unavailable", "The storage does not answer.");
    },
  };
  return { storage: { ...memory, records } satisfies Storage, state };
}

const snapshotKey = new Uint8Array(32).fill(1);

describe("stored variables whose record can't be read", () => {
  const open = (storage: Storage) =>
    keep(new Session({ id: "one", storage, embedder: null, snapshot: { debounceMs: 3_600_000 }, snapshotKey }));

  it("for good: it is told, and the next save replaces it [Y5-6]", async () => {
    const folder = await temp();
    const options = { id: "one", embedder: null, snapshot: { debounceMs: 3_600_000 } };
    const first = keep(await Session.fromBase(folder, options));
    await first.run("old = 1");
    await first.close();
    await writeFile(join(folder, ".state", "records", "snapshots.d", "one.d", "python.json"), "{ not json");

    const second = keep(await Session.fromBase(folder, options));
    expect(second.problems).toContainEqual(expect.objectContaining({ code: "storage/corrupt" }));
    const outcome = await second.run("new = 2\n'old' in globals()");
    expect(outcome).toMatchObject({ value: false, cell: 2 });
    expect(outcome.notices.join("\n")).toMatch(/could not be saved or restored: .*python\.json/);
    expect(await second.snapshot()).toMatchObject({ cell: 2, saved: ["new"] });
    expect((await second.run("1")).notices).toEqual([]);
    await second.close();
    expect(await keep(await Session.fromBase(folder, options)).value("new")).toBe(2);
  });

  it("only when the session is opened: its first kernel gets them all the same [Y5-6]", async () => {
    const { storage, state } = flaky();
    const first = open(storage);
    await first.run("old = 1");
    await first.close();
    const second = open(storage);
    state.deaf = true;
    await second.ready();
    // One for each language.
    expect(state.refused).toBe(2);
    state.deaf = false;
    expect(await second.run("old")).toMatchObject({ value: 1, cell: 2 });
  });

  it("until cells have run without them: those of the session are saved, and the others kept for its next kernel [Y5-6]", async () => {
    const { storage, state } = flaky();
    const first = open(storage);
    await first.run("old = 1\nboth = 'first'\nlarge = list(range(20_000))");
    await first.close();
    const second = open(storage);
    state.deaf = true;
    expect((await second.run("both = 'second'\nnew = 2\n'old' in globals()")).value).toBe(false);
    await second.snapshot();
    expect(second.problems).toContainEqual(expect.objectContaining({ code: "storage/unavailable" }));
    state.deaf = false;
    expect(await second.snapshot()).toMatchObject({ saved: expect.arrayContaining(["both", "new"]) });
    await second.run("newer = 3");
    await second.snapshot();
    await second.close();
    const third = open(storage);
    expect((await third.run("old, both, new, newer, len(large)")).value).toEqual([1, "second", 2, 3, 20_000]);
  });
});
