import { ArtificerError, type OutcomeData, type Storage, type ToolCallRecord } from "@artificer/protocol";
import { expect, test } from "vitest";
import { createJournal } from "../../src/journal/create-journal.js";
import type { Journal, JournalEntry } from "../../src/journal/journal.js";
import { createMemoryStorage } from "../../src/storage/create-memory-storage.js";

const call: ToolCallRecord = { tool: "web.get", status: "completed", reached: true, durationMs: 3, resultBytes: 120 };

function outcome(cell: number, changes: Partial<OutcomeData> = {}): OutcomeData {
  return {
    session: "s",
    cell,
    language: "python",
    generation: 1,
    status: "completed",
    value: new Uint8Array([1]),
    repr: "b'\\x01'",
    reference: undefined,
    names: [],
    stdout: "",
    stderr: "",
    output: [],
    background: [],
    traceback: undefined,
    error: undefined,
    toolCalls: [],
    shared: [],
    displays: [],
    truncated: [],
    notices: [],
    state: { variables: "kept" },
    startedAt: new Date(0),
    durations: { totalMs: 1, queuedMs: 0, waitingMs: 0 },
    ...changes,
  };
}

const cell = (n: number, code = `x = ${n}`) => ({ kind: "cell", cell: n, language: "python", code }) as const;

async function readAll(journal: Journal, limit?: number): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await journal.read({ cursor, limit });
    entries.push(...page.items);
    cursor = page.cursor;
    if (cursor === undefined) return entries;
  }
}

/** A storage whose records refuse to be written while `broken` says so. */
function breakable() {
  const sound = createMemoryStorage();
  const state = { broken: true, puts: 0 };
  const storage: Storage = {
    ...sound,
    records: {
      ...sound.records,
      put: async (...args) => {
        state.puts++;
        if (state.broken) throw new ArtificerError("storage/full", "No space left.", { hint: "Free some space." });
        return sound.records.put(...args);
      },
    },
  };
  return { storage, state };
}

test("cells, tool calls and outcomes are read back in the order they were appended", async () => {
  const journal = createJournal({ storage: createMemoryStorage(), session: "s" });
  journal.append(cell(1, "get()"));
  journal.append({ kind: "tool-call", cell: 1, call });
  journal.append({ kind: "outcome", outcome: outcome(1, { stdout: "hi\n" }) });
  const entries = await readAll(journal);
  expect(entries.map(({ seq, kind, cell }) => [seq, kind, cell])).toEqual([
    [1, "cell", 1],
    [2, "tool-call", 1],
    [3, "outcome", 1],
  ]);
  expect(entries[0]?.data).toEqual({ language: "python", code: "get()" });
  expect(entries[0]?.at).toBeInstanceOf(Date);
  expect(entries[1]?.data).toEqual(call);
  expect(entries[2]?.data).toMatchObject({ status: "completed", repr: "b'\\x01'", stdout: "hi\n", generation: 1 });
  await journal.close();
});

test("an entry is written by itself soon after, many of them in one record", async () => {
  const storage = createMemoryStorage();
  const journal = createJournal({ storage, session: "s", delayMs: 1 });
  for (let n = 1; n <= 100; n++) journal.append(cell(n));
  expect((await storage.records.list("")).items).toEqual([]);
  await expect
    .poll(async () => (await storage.records.list("")).items.map(({ key }) => key))
    .toEqual(["journal/s/000000000001"]);
  await journal.close();
});

test("an entry after a quiet time is written too", async () => {
  const storage = createMemoryStorage();
  const journal = createJournal({ storage, session: "s", delayMs: 1 });
  for (const n of [1, 2, 3]) {
    journal.append(cell(n));
    await journal.flush();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  journal.append(cell(4));
  await expect.poll(async () => (await storage.records.list("")).items.length).toBe(4);
  expect((await readAll(journal)).map(({ cell }) => cell)).toEqual([1, 2, 3, 4]);
});

test("an entry that can't be written down does not keep back the others", async () => {
  const journal = createJournal({ storage: createMemoryStorage(), session: "s" });
  journal.append(cell(1));
  journal.append({ kind: "tool-call", cell: 2, call: { ...call, durationMs: 1n as never } });
  journal.append(cell(3));
  const entries = await readAll(journal);
  expect(entries.map(({ cell }) => cell)).toEqual([1, 2, 3]);
  expect(entries[1]?.data.problem).toMatch(/BigInt/);
});

test("what is left out while a batch is on its way is counted in full", async () => {
  const { storage, state } = breakable();
  state.broken = false;
  const journal = createJournal({ storage, session: "s", maxHeld: 5 });
  for (let n = 1; n <= 7; n++) journal.append(cell(n));
  const flushing = journal.flush();
  await Promise.resolve();
  for (let n = 8; n <= 9; n++) journal.append(cell(n));
  await flushing;
  const lost = (await readAll(journal)).filter(({ kind }) => kind === "lost");
  expect(lost.reduce((sum, { data }) => sum + Number(data.entries), 0)).toBe(4);
});

test("a call that changes after it was appended is kept as it was", async () => {
  const journal = createJournal({ storage: createMemoryStorage(), session: "s" });
  const pending: ToolCallRecord = { ...call, status: "pending" };
  journal.append({ kind: "tool-call", cell: 1, call: pending });
  pending.status = "failed";
  expect((await readAll(journal))[0]?.data).toMatchObject({ status: "pending" });
  await journal.close();
});

test("pages of every size join to the whole", async () => {
  const storage = createMemoryStorage();
  const journal = createJournal({ storage, session: "s" });
  for (let n = 1; n <= 700; n++) {
    journal.append(cell(n));
    if (n % 5 === 0 && n < 400) await journal.flush();
  }
  const whole = Array.from({ length: 700 }, (_, index) => index + 1);
  for (const limit of [1000, 700, 256, 99, 7]) {
    expect((await readAll(journal, limit)).map(({ seq }) => seq)).toEqual(whole);
  }
  await expect(journal.read({ cursor: "nonsense" })).rejects.toMatchObject({ code: "usage/invalid-argument" });
  await expect(journal.read({ limit: 0 })).rejects.toMatchObject({ code: "usage/invalid-argument" });
  await journal.close();
});

test("sessions whose names begin alike have journals of their own", async () => {
  const storage = createMemoryStorage();
  const [one, two] = [createJournal({ storage, session: "s" }), createJournal({ storage, session: "s1" })];
  one.append(cell(1));
  two.append(cell(7));
  expect((await readAll(one)).map(({ cell }) => cell)).toEqual([1]);
  expect((await readAll(two)).map(({ cell }) => cell)).toEqual([7]);
  expect(() => createJournal({ storage, session: "../s" })).toThrow(
    expect.objectContaining({ code: "storage/invalid-key" }),
  );
});

test("a journal opened again goes on where it ended", async () => {
  const storage = createMemoryStorage();
  for (const n of [1, 2, 3]) {
    const journal = createJournal({ storage, session: "s" });
    journal.append(cell(n));
    journal.append(cell(n));
    await journal.close();
  }
  const entries = await readAll(createJournal({ storage, session: "s" }));
  expect(entries.map(({ seq, cell }) => [seq, cell])).toEqual(
    [1, 2, 3].flatMap((n) => [
      [2 * n - 1, n],
      [2 * n, n],
    ]),
  );
});

test("two journals of one session that write at once lose nothing and number without gaps", async () => {
  const storage = createMemoryStorage();
  const journals = [1, 2, 3].map(() => createJournal({ storage, session: "s" }));
  for (let n = 1; n <= 30; n++) {
    for (const journal of journals) journal.append(cell(n));
    await Promise.all(journals.map((journal) => journal.flush()));
  }
  const entries = await readAll(createJournal({ storage, session: "s" }));
  expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 90 }, (_, index) => index + 1));
});

test("a disk that fails is told once, breaks nothing, and what was held is written when it works again", async () => {
  const { storage, state } = breakable();
  const problems: ArtificerError[] = [];
  const journal = createJournal({ storage, session: "s", onProblem: (problem) => problems.push(problem) });
  journal.append(cell(1));
  await journal.flush();
  journal.append(cell(2));
  await journal.flush();
  expect(state.puts).toBe(2);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({
    code: "storage/full",
    hint: "Free some space.",
    message: expect.stringContaining("session s"),
  });
  state.broken = false;
  journal.append(cell(3));
  expect((await readAll(journal)).map(({ cell }) => cell)).toEqual([1, 2, 3]);
  state.broken = true;
  journal.append(cell(4));
  await journal.close();
  expect(problems).toHaveLength(2);
});

test("a listener that throws breaks nothing", async () => {
  const { storage } = breakable();
  const onProblem = () => {
    throw new Error("listener");
  };
  const journal = createJournal({ storage, session: "s", onProblem });
  journal.append(cell(1));
  await journal.flush();
  await journal.close();
});

test("while the disk fails memory is bounded, and the journal says how much it lost", async () => {
  const { storage, state } = breakable();
  const journal = createJournal({ storage, session: "s", maxHeld: 10 });
  for (let n = 1; n <= 25; n++) journal.append(cell(n));
  await journal.flush();
  state.broken = false;
  await journal.flush();
  journal.append(cell(26));
  const entries = await readAll(journal);
  expect(entries.map(({ kind, cell }) => (kind === "lost" ? kind : cell))).toEqual([
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    "lost",
    26,
  ]);
  expect(entries[10]?.data).toEqual({ entries: 15 });
});

test("while the disk fails long texts count by their length, and neither values nor pictures are held", async () => {
  const { storage, state } = breakable();
  const journal = createJournal({ storage, session: "s" });
  const stdout = "x".repeat(1_000_000);
  const displays = [{ data: { "image/png": new Uint8Array(1_000_000) }, metadata: {} }];
  for (let n = 1; n <= 40; n++) journal.append({ kind: "outcome", outcome: outcome(n, { stdout, displays }) });
  await journal.flush();
  state.broken = false;
  const entries = await readAll(journal);
  expect(entries.at(-1)?.kind).toBe("lost");
  expect(entries.length - 1 + Number(entries.at(-1)?.data.entries)).toBe(40);
  expect(entries.length).toBeLessThan(20);
  expect(entries[0]?.data.displays).toEqual([["image/png"]]);
});

test("long texts are kept by their beginning and end", async () => {
  const journal = createJournal({ storage: createMemoryStorage(), session: "s" });
  const long = `begin${"x".repeat(1_000_000)}end`;
  journal.append({ kind: "outcome", outcome: outcome(1, { stdout: long, repr: long, traceback: long }) });
  const [entry] = await readAll(journal);
  for (const field of ["stdout", "repr", "traceback"]) {
    expect(entry?.data[field]).toMatch(/^begin[\s\S]*983624 characters left out[\s\S]*end$/);
  }
  expect(JSON.stringify(entry).length).toBeLessThan(60_000);
});

test("after close entries are left out, and closing again is fine", async () => {
  const storage = createMemoryStorage();
  const journal = createJournal({ storage, session: "s" });
  journal.append(cell(1));
  await Promise.all([journal.close(), journal.close()]);
  journal.append(cell(2));
  await journal.close();
  expect((await readAll(createJournal({ storage, session: "s" }))).map(({ cell }) => cell)).toEqual([1]);
});

test("a storage closed too early is told, not thrown", async () => {
  const storage = createMemoryStorage();
  const problems: ArtificerError[] = [];
  const journal = createJournal({ storage, session: "s", onProblem: (problem) => problems.push(problem) });
  journal.append(cell(1));
  await storage.close();
  await journal.close();
  expect(problems.map(({ code }) => code)).toEqual(["storage/closed"]);
});

test("a storage that ends with the process keeps the latest entries alone, one that outlives it keeps all", async () => {
  const kept = async (durable: boolean) => {
    const memory = createMemoryStorage();
    const storage = { ...memory, capabilities: { ...memory.capabilities, durable } };
    const journal = createJournal({ storage, session: "s", ...(durable ? {} : { maxStored: 20 }) });
    for (let n = 1; n <= 100; n++) {
      journal.append(cell(n));
      if (n % 5 === 0) await journal.flush();
    }
    return readAll(journal, 7);
  };
  expect((await kept(false)).map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, index) => 81 + index));
  expect(await kept(true)).toHaveLength(100);
});

test("a journal in memory has a bound without being told, and the next opening goes on behind what is left", async () => {
  const storage = createMemoryStorage();
  const journal = createJournal({ storage, session: "s" });
  for (let n = 1; n <= 12_000; n++) {
    journal.append(cell(n));
    if (n % 1000 === 0) await journal.flush();
  }
  const entries = await readAll(journal);
  expect(entries.length).toBeLessThanOrEqual(10_000);
  expect(entries.length).toBeGreaterThan(9_000);
  await journal.close();
  const next = createJournal({ storage, session: "s" });
  next.append(cell(12_001));
  expect((await readAll(next)).at(-1)).toMatchObject({ seq: 12_001 });
});
