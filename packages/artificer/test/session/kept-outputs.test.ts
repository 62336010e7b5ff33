import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createArtifactStore, listSessions } from "@artificer/runtime";
import { afterEach, describe, expect, it } from "vitest";
import {
  createMemoryStorage,
  deleteSession,
  openFileStorage,
  Session,
  type SessionOptions,
  type Storage,
  sweepKeptOutputs,
} from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const tempFolder = useTempFolder();
const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

function start(options: SessionOptions): Session {
  const session = new Session({ embedder: null, limits: { maxStdoutBytes: 100 }, ...options });
  open.push(session);
  return session;
}

/** Has a cell print more than its outcome keeps. @returns the artifact that holds the whole. */
async function printMuch(session: Session, size = 5000): Promise<string> {
  const { truncated } = await session.run(`print('x' * ${size - 1})`);
  return truncated[0]!.artifact!;
}

async function names(storage: Storage): Promise<string[]> {
  return (await createArtifactStore({ storage }).list()).map(({ name }) => name);
}

describe("an output that was kept as an artifact", () => {
  it("is read by its own session, its sub-agents and its owner's sessions, and by nobody else [Y3-33]", async () => {
    const storage = createMemoryStorage();
    const ann = start({ storage, id: "ann-1", owner: "ann" });
    const kept = await printMuch(ann);
    expect(kept).toBe("outputs/ann-1/cell-1-stdout.txt");
    const load = `len(artifacts.load(${JSON.stringify(kept)}))`;
    expect((await ann.run(load)).value).toBe(5000);
    expect((await start({ storage, id: "ann-2", owner: "ann" }).run(load)).value).toBe(5000);
    const child = start({ parent: ann });
    expect((await child.run(load)).value).toBe(5000);
    const fromChild = await printMuch(child);
    expect((await ann.run(`artifacts.exists(${JSON.stringify(fromChild)})`)).value).toBe(true);

    for (const options of [{ owner: "bob" }, { id: "loose" }, {}]) {
      const other = start({ storage, ...options });
      const { error } = await other.run(load);
      expect(error).toMatchObject({ type: "ArtifactError" });
      // Not even its name is told.
      expect(error?.message).toBe(
        `There is no artifact "${kept}".\nHint: None is saved yet; artifacts.save(name, value) saves one.`,
      );
      const reach = `n = ${JSON.stringify(kept)}\n[artifacts.exists(n), artifacts.list(), artifacts.list('outputs/'), artifacts.delete(n)]`;
      expect((await other.run(reach)).value).toEqual([false, [], [], false]);
      expect((await other.run(`artifacts.get(${JSON.stringify(kept)})`)).status).toBe("failed");
      const forged = await other.run(`artifacts.save(${JSON.stringify(kept)}, 'forged')`);
      expect(forged.error?.message).toContain("another session");
      await expect(other.loadArtifact(kept)).rejects.toMatchObject({ code: "artifact/not-found" });
    }
    expect((await ann.run(load)).value).toBe(5000);
  });

  it("of a session without an owner is read by that session alone, in a later process too [Y3-33]", async () => {
    const storage = createMemoryStorage();
    const first = start({ storage, id: "one" });
    const kept = await printMuch(first);
    await first.close();
    expect(await start({ storage, id: "one" }).artifactExists(kept)).toBe(true);
    expect(await start({ storage, id: "two" }).artifactExists(kept)).toBe(false);
  });

  it("expires by age and by quota, oldest first; what a user saved never does [Y3-35]", async () => {
    const storage = createMemoryStorage();
    const session = start({ storage, id: "s" });
    const first = await printMuch(session, 4000);
    const second = await printMuch(session, 3000);
    await session.run("artifacts.save('outputs/mine', 'm' * 9000)\nartifacts.save('report', 'r' * 9000)");
    await session.run("artifacts.save('outputs/s/by-hand', 'h' * 9000)");
    expect(await sweepKeptOutputs(storage, { maxAgeMs: 3_600_000, maxTotalBytes: 10_000 })).toEqual({
      deleted: 0,
      bytes: 0,
    });
    expect(await sweepKeptOutputs(storage, { maxTotalBytes: 3500 })).toEqual({ deleted: 1, bytes: 4000 });
    expect(await names(storage)).toEqual(["outputs/mine", "outputs/s/by-hand", second, "report"]);
    expect(first).not.toBe(second);
    expect(await sweepKeptOutputs(storage, { maxAgeMs: -1 })).toMatchObject({ deleted: 1 });
    expect(await names(storage)).toEqual(["outputs/mine", "outputs/s/by-hand", "report"]);
  });

  it("is swept when a base is opened, as its config.yaml says [Y3-35]", async () => {
    const base = await tempFolder();
    const options = { embedder: null, home: join(base, "home"), limits: { maxStdoutBytes: 100 } };
    const first = await Session.fromBase(base, { ...options, id: "s" });
    open.push(first);
    const kept = await printMuch(first);
    await first.saveArtifact("report", "text");
    await first.close();
    await writeFile(join(base, "config.yaml"), "outputs:\n  max_total: 1000\n");
    const second = await Session.fromBase(base, { ...options, id: "s" });
    open.push(second);
    await expect.poll(() => second.artifactExists(kept)).toBe(false);
    expect((await second.listArtifacts()).map(({ name }) => name)).toEqual(["report"]);
    expect(second.problems).toEqual([]);
  });
});

describe("deleting a session", () => {
  it("deletes its variables, journal, kept outputs and record, and nothing else [Y5-25]", async () => {
    const folder = await tempFolder();
    const storage = await openFileStorage(folder);
    const snapshotKey = new Uint8Array(32);
    const keeping = { storage, snapshot: true, snapshotKey, owner: "ann" };
    const other = start({ ...keeping, id: "chat" });
    await printMuch(other);
    const session = start({ ...keeping, id: "chat-1" });
    await session.run("x = 1\nartifacts.save('report', 'text')");
    await printMuch(session);
    await session.snapshot();
    await expect(deleteSession(storage, "chat-1", { owner: "ann" })).rejects.toMatchObject({ code: "session/busy" });
    expect(await session.delete()).toMatchObject({
      snapshots: expect.any(Number),
      journal: expect.any(Number),
      outputs: 1,
    });
    await expect(session.run("1")).rejects.toMatchObject({ code: "session/closed" });
    for (const prefix of ["snapshots/chat-1/", "journal/chat-1/", "sessions/chat-1"]) {
      expect((await storage.records.list(prefix)).items).toEqual([]);
      expect((await storage.blobs.list(prefix)).items).toEqual([]);
    }
    expect(await names(storage)).toEqual(["outputs/chat/cell-1-stdout.txt", "report"]);
    // Whoever opens it next begins anew.
    const anew = start({ ...keeping, owner: "bob", id: "chat-1" });
    expect((await anew.run("'x' in globals()")).value).toBe(false);
    await other.close();
    await anew.close();
    await storage.close();
  });

  it("is its owner's alone, and works for a session that is not open, or never was [Y5-25]", async () => {
    const storage = createMemoryStorage();
    const session = start({ storage, snapshot: true, id: "s", owner: "ann" });
    await session.run("x = 1");
    await session.close();
    for (const options of [{}, { owner: "bob" }])
      await expect(deleteSession(storage, "s", options)).rejects.toMatchObject({ code: "session/not-owner" });
    const deleted = await deleteSession(storage, "s", { owner: "ann" });
    expect(deleted.snapshots).toBeGreaterThan(0);
    expect(deleted.journal).toBeGreaterThan(0);
    expect(await deleteSession(storage, "s", { owner: "ann" })).toEqual({ snapshots: 0, journal: 0, outputs: 0 });
    expect((await storage.records.list("")).items).toEqual([]);
    await expect(deleteSession(storage, "a/b")).rejects.toMatchObject({ code: "usage/invalid-argument" });
  });
});

describe("the sessions of a process", () => {
  it("are listed with their kernels, each with its process [Y7-5]", async () => {
    const session = start({ id: "listed", owner: "ann" });
    const child = start({ parent: session, id: "listed-child" });
    const find = (id: string) => listSessions().find((info) => info.id === id);
    expect(find("listed")).toEqual({ id: "listed", owner: "ann", openedAt: expect.any(Date), kernels: [] });
    expect(find("listed-child")).toMatchObject({ parent: "listed" });
    const { value: pid } = await session.run("import os; os.getpid()");
    await session.run("1", { language: "typescript" });
    const kernels: unknown = find("listed")?.kernels;
    expect(kernels).toEqual([
      expect.objectContaining({
        language: "python",
        generation: 1,
        pid: pid as unknown,
        busy: false,
        version: expect.any(String),
      }),
      expect.objectContaining({ language: "typescript", generation: 1, executable: expect.any(String) }),
    ]);
    const running = session.run("1");
    await session.restart("typescript");
    await running;
    expect(find("listed")?.kernels.map(({ language }) => language)).toEqual(["python"]);
    await session.close();
    expect([find("listed"), find("listed-child")]).toEqual([undefined, undefined]);
    expect(child.id).toBe("listed-child");
    expect(() => new Session({ embedder: null, id: "a/b" })).toThrow();
    expect(listSessions().every(({ id }) => id !== "a/b")).toBe(true);
  });
});
