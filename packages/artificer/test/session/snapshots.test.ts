import { existsSync } from "node:fs";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ArtificerError, type Storage } from "@artificer/protocol";
import { createMemoryStorage, listSessions } from "@artificer/runtime";
import { isRunning } from "@artificer/testkit/services";
import { afterEach, describe, expect, it } from "vitest";
import { type FromBaseOptions, Session } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();
const sessions: Session[] = [];
const quick = { debounceMs: 20 };
/** An interrupt lands as soon as the machine gets to it. */
const patient = { graceMs: 20_000 };

function keep(session: Session): Session {
  sessions.push(session);
  return session;
}

async function open(folder: string, options: FromBaseOptions = {}): Promise<Session> {
  const defaults = { id: "one", embedder: null, limits: { graceMs: 500 }, snapshot: quick };
  return keep(await Session.fromBase(folder, { ...defaults, ...options }));
}

afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

const told = ({ notices }: { notices: string[] }) => notices.join("\n");

describe("variables of a session [A7]", () => {
  it("are there again in a later session of the same id, whose first cell says so", async () => {
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
    expect(told(outcome)).toMatch(/restored as they were after cell 2: .*x, y/);
    expect(told(outcome)).toMatch(/Not restored: lock \(.*lock/);
    expect((await second.run("1")).notices).toEqual([]);
  });

  it("survive the kernel within a session; the next cell says what is lost since", async () => {
    const session = await open(await temp());
    await session.run("x = 1\nkept = [x]");
    expect(await session.snapshot()).toMatchObject({ cell: 1, saved: expect.arrayContaining(["x", "kept"]) });
    const crashed = await session.run("x = 2\nimport os\nos._exit(3)");
    expect(crashed.state).toMatchObject({
      variables: "lost",
      note: expect.stringContaining("as they were after cell 1"),
    });
    const next = await session.run("x, kept");
    expect(next).toMatchObject({ value: [1, [1]], generation: 2 });
    expect(told(next)).toContain("restored as they were after cell 1");
    expect(told(next)).toContain("What cell 2 did to variables after that is lost.");
  });

  it("are saved between cells without being asked, and a kernel that dies idle says so with what came back", async () => {
    const storage = createMemoryStorage();
    const session = keep(new Session({ id: "one", storage, embedder: null, snapshot: quick }));
    const { value } = await session.run("import os\nx = 5\nos.getpid()");
    await expect.poll(async () => (await storage.records.list("snapshots/")).items.length).toBe(1);
    process.kill(value as number, "SIGKILL");
    await expect.poll(() => listSessions().find(({ id }) => id === "one")?.kernels).toEqual([]);
    const next = await session.run("x");
    expect(next).toMatchObject({ value: 5, generation: 2 });
    expect(told(next)).toMatch(/restored as they were after cell 1: .*x/);
  });

  it("are saved before an idle kernel is ended, and there again for the next cell", async () => {
    const session = await open(await temp(), {
      snapshot: { debounceMs: 3_600_000 },
      limits: { kernelIdleTimeoutMs: 200 },
    });
    const { value } = await session.run("import os\nx = [1]\nos.getpid()");
    await expect.poll(() => isRunning(value as number)).toBe(false);
    const next = await session.run("x");
    expect(next).toMatchObject({ value: [1], generation: 2 });
    expect(told(next)).toMatch(/it had been idle for [\d.]+ s/);
    expect(told(next)).toContain("restored as they were after cell 1");
  });

  it("are not saved by a session without an id, nor by `new Session`", async () => {
    const folder = await temp();
    const session = keep(await Session.fromBase(folder, { embedder: null }));
    await session.run("x = 1");
    expect(await session.snapshot()).toBeUndefined();
    await session.close();
    expect(await readdir(join(folder, ".state"))).not.toContain("snapshot-key");
    const plain = keep(new Session({ id: "one", embedder: null }));
    await plain.run("x = 1");
    expect(await plain.snapshot()).toBeUndefined();
  });

  it("are forgotten by a restart", async () => {
    const folder = await temp();
    const session = await open(folder);
    await session.run("x = 1");
    await session.snapshot();
    await session.restart();
    expect((await session.run("'x' in globals()")).value).toBe(false);
    await session.close();
    const later = await open(folder);
    expect((await later.run("'x' in globals()")).value).toBe(false);
  });

  it("cost storage only for what is there now: what was replaced is deleted", async () => {
    const storage = createMemoryStorage();
    const session = keep(new Session({ id: "g", storage, embedder: null, snapshot: quick }));
    for (let round = 0; round < 4; round++) {
      await session.run(`a = [${round}] * 10_000\nb = list(range(20_000))\nc = ${round}`);
      await session.snapshot();
    }
    const blobs = (await storage.blobs.list("snapshots/")).items;
    expect(blobs).toHaveLength(2);
    await session.run("del a, b");
    await session.snapshot();
    expect((await storage.blobs.list("snapshots/")).items).toEqual([]);
  });

  it("that a storage has no room for are named, and the others are kept", async () => {
    const memory = createMemoryStorage();
    const blobs = {
      ...memory.blobs,
      write: async () => {
        throw new ArtificerError("storage/full", "There is no room.");
      },
    };
    const storage: Storage = { ...memory, blobs };
    const session = keep(new Session({ id: "f", storage, embedder: null, snapshot: quick }));
    await session.run("small = [1]\nbig = list(range(10_000))");
    const report = await session.snapshot();
    expect(report?.saved).toEqual(["small"]);
    expect(report?.skipped).toEqual([{ name: "big", reason: "the storage did not take it: There is no room." }]);
    await session.run("import os\nos._exit(1)");
    expect(told(await session.run("small"))).toContain("Not restored: big (the storage did not take it");
  });

  it("that can't be restored for want of a module stay stored until they can, or are made anew", async () => {
    const [folder, cwd] = [await temp(), await temp()];
    await writeFile(join(cwd, "mod.py"), "class T:\n    pass\n");
    const first = await open(folder, { cwd });
    await first.run("import mod\nt = mod.T(); t.v = 1\nu = mod.T(); u.v = 2");
    await first.close();
    await rm(join(cwd, "mod.py"));
    const second = await open(folder, { cwd });
    expect(told(await second.run("u = 'anew'"))).toMatch(/Not restored: .*t \(ModuleNotFoundError/);
    await second.close();
    await writeFile(join(cwd, "mod.py"), "class T:\n    pass\n");
    const third = await open(folder, { cwd });
    expect((await third.run("t.v, u")).value).toEqual([1, "anew"]);
  });

  it("can be read by the host as data, and never as code", async () => {
    const session = await open(await temp());
    await session.run("x = {'a': (1, 2)}\ndef f(): pass");
    expect(await session.value("x")).toEqual({ a: [1, 2] });
    await expect(session.value("f")).rejects.toMatchObject({ code: "value/not-encodable" });
    await expect(session.value("y")).rejects.toMatchObject({ code: "session/unknown-variable" });
    await expect(session.value("x.keys()")).rejects.toMatchObject({ code: "session/unknown-variable" });
  });
});

describe("a cell and a save", () => {
  it("a cell that comes during a save is not held up by it, and the save is made good later", async () => {
    const session = await open(await temp(), { snapshot: { ...quick, maxVariableMs: 1e9 }, limits: patient });
    const begun = join(await temp(), "begun");
    await session.run(
      `import time\nclass Slow:\n    def __reduce__(self):\n        open(${JSON.stringify(begun)}, 'w').close()\n        time.sleep(1e6)\n        return str, ('x',)\nslow = Slow()\nx = 1`,
    );
    await expect.poll(() => existsSync(begun)).toBe(true);
    const outcome = await session.run("slow = None\nx");
    expect(outcome).toMatchObject({ status: "completed", value: 1, generation: 1 });
    expect(await session.snapshot()).toMatchObject({ cell: 2, skipped: [] });
  });

  it("an object that swallows every interrupt while it is saved costs its kernel, is named, and is not tried again", async () => {
    const session = await open(await temp(), { snapshot: { ...quick, maxVariableMs: 1000 } });
    await session.run("good = [1]");
    await session.snapshot();
    const begun = join(await temp(), "begun");
    await session.run(
      `import signal\nclass Stuck:\n    def __reduce__(self):\n        signal.signal(signal.SIGINT, signal.SIG_IGN)\n        open(${JSON.stringify(begun)}, 'w').close()\n        while True: pass\nstuck = Stuck()`,
    );
    await expect.poll(() => existsSync(begun)).toBe(true);
    const outcome = await session.run("good");
    expect(outcome).toMatchObject({ status: "completed", value: [1], generation: 2 });
    expect(told(outcome)).toContain("saving the variable stuck did not stop");
    expect(told(outcome)).toContain("stuck will not be saved any more");
  });

  it("an object that ends the kernel when it is restored is left out by name", async () => {
    const folder = await temp();
    const first = await open(folder);
    await first.run(
      "import os\nclass Ends:\n    def __setstate__(self, state): os._exit(7)\nends = Ends(); ends.x = 1\nfine = [1]",
    );
    await first.close();
    const second = await open(folder);
    const outcome = await second.run("fine, 'ends' in globals()");
    expect(outcome).toMatchObject({ status: "completed", value: [[1], false] });
    expect(told(outcome)).toMatch(/Not restored: ends \(restoring it ended the kernel/);
  });

  it("a definition that ends the kernel when it is replayed leaves nothing restored, and a session that works", async () => {
    const folder = await temp();
    const first = await open(folder);
    await first.run("import os\nx = 1");
    await first.run("def deco(f):\n    if os.environ.get('GUARD') is None: os._exit(5)\n    return f");
    await first.run("os.environ['GUARD'] = '1'\n@deco\ndef f(): pass\ndel os.environ['GUARD']");
    await first.close();
    const second = await open(folder);
    const outcome = await second.run("'x' in globals()");
    expect(outcome).toMatchObject({ status: "completed", value: false });
    expect(told(outcome)).toContain("Nothing is restored: the kernel ended each time over f");
  });

  it("code of a snapshot can't call a tool while it is restored", async () => {
    const folder = await temp();
    const first = await open(folder);
    await first.run(
      "class Calls:\n    def __setstate__(self, state):\n        import artificer_tools\n        self.got = skills.list() if 'skills' in globals() else 'no handles'\nc = Calls(); c.x = 1",
    );
    await first.close();
    const second = await open(folder);
    expect((await second.run("c.got")).value).toBe("no handles");
  });
});

describe("stored snapshots [A7]", () => {
  async function saved(folder: string): Promise<void> {
    const first = await open(folder);
    await first.run("big = list(range(20_000))\nother = list(range(30_000))\nsmall = 1");
    await first.close();
  }

  async function blobFiles(folder: string): Promise<string[]> {
    const names = await readdir(join(folder, "snapshots"), { recursive: true, withFileTypes: true });
    return names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  }

  it("are signed: a variable whose bytes were changed is not sent to a kernel, and is named", async () => {
    const folder = await temp();
    await saved(folder);
    const files = await blobFiles(folder);
    expect(files).toHaveLength(2);
    await writeFile(files[0]!, Buffer.concat([await readFile(files[0]!), Buffer.from("!")]));
    const second = await open(folder);
    const outcome = await second.run("small, sorted(n for n in ('big', 'other') if n in globals())");
    expect((outcome.value as unknown[])[0]).toBe(1);
    expect((outcome.value as unknown[][])[1]).toHaveLength(1);
    expect(told(outcome)).toMatch(/Not restored: (big|other) \(its stored bytes are not those that were saved\)/);
  });

  it("can't be swapped among themselves, nor moved to another session", async () => {
    const folder = await temp();
    await saved(folder);
    const [a, b] = (await blobFiles(folder)) as [string, string];
    const [bytesA, bytesB] = [await readFile(a), await readFile(b)];
    await writeFile(a, bytesB);
    await writeFile(b, bytesA);
    const second = await open(folder);
    expect((await second.run("[n for n in ('big', 'other') if n in globals()]")).value).toEqual([]);
    await second.close();

    const records = join(folder, ".state", "records", "snapshots.d");
    const { mkdir, cp } = await import("node:fs/promises");
    await mkdir(join(records, "two.d"), { recursive: true });
    await cp(join(records, "one.d"), join(records, "two.d"), { recursive: true });
    const thief = await open(folder, { id: "two" });
    const outcome = await thief.run("'small' in globals()");
    expect(outcome.value).toBe(false);
    expect(told(outcome)).toContain("were not saved with this base's key");
    expect(thief.problems).toContainEqual(expect.objectContaining({ code: "snapshot/not-authentic" }));
  });

  it("are worthless without the key, which only its owner can read", async () => {
    const folder = await temp();
    await saved(folder);
    const key = join(folder, ".state", "snapshot-key");
    expect((await stat(key)).mode & 0o777).toBe(0o600);
    await writeFile(key, Buffer.alloc(32, 1));
    const second = await open(folder);
    expect((await second.run("'small' in globals()")).value).toBe(false);
    // They may be another base's: only who says so replaces them.
    expect(second.problems).toContainEqual(expect.objectContaining({ code: "snapshot/other-key" }));
    await second.restart();
    await second.run("new = 1");
    await second.close();
    const third = await open(folder);
    expect((await third.run("new")).value).toBe(1);
  });

  it("of a session that two processes work in are the first writer's; the other is told, and overwrites nothing", async () => {
    const folder = await temp();
    const [left, right] = [await open(folder), await open(folder)];
    await left.run("who = 'left'");
    await right.run("who = 'right'");
    await left.snapshot();
    await right.snapshot();
    const outcome = await right.run("who");
    expect(told(outcome)).toContain("Another process has saved the variables of session one");
    expect(right.problems).toContainEqual(expect.objectContaining({ code: "snapshot/conflict" }));
    expect((await right.run("1")).notices).toEqual([]);
    await right.close();
    await left.close();
    expect(await (await open(folder)).value("who")).toBe("left");
  });

  it("need a key in a storage that outlives the process", () => {
    const storage = {
      ...createMemoryStorage(),
      capabilities: { vectors: false, leases: false, watch: false, durable: true },
    };
    expect(() => new Session({ storage, embedder: null, snapshot: true })).toThrow(/snapshotKey/);
    expect(() => new Session({ embedder: null, snapshot: { debounceMs: -1 } })).toThrow(/debounceMs/);
  });
});

describe("the owner of a session [A8]", () => {
  it("is the only one who can open it again; nobody opens it anonymously", async () => {
    const folder = await temp();
    const first = await open(folder, { owner: "ada" });
    await first.run("secret = 1");
    await first.close();
    await expect(open(folder, { owner: "bob" })).rejects.toMatchObject({ code: "session/not-owner" });
    await expect(open(folder)).rejects.toMatchObject({ code: "session/not-owner" });
    await expect(open(folder, { snapshot: false })).rejects.toMatchObject({ code: "session/not-owner" });
    const again = await open(folder, { owner: "ada" });
    expect(await again.value("secret")).toBe(1);
  });

  it("is fixed when the session is made: one without an owner gets none later", async () => {
    const folder = await temp();
    await (await open(folder)).close();
    await expect(open(folder, { owner: "ada" })).rejects.toMatchObject({ code: "session/not-owner" });
  });

  it("is asked for before a kernel is started, whatever is called", async () => {
    const storage = createMemoryStorage();
    const mine = keep(new Session({ id: "s", owner: "ada", storage, embedder: null, snapshot: true }));
    await mine.run("x = 1");
    await mine.snapshot();
    const other = keep(new Session({ id: "s", owner: "bob", storage, embedder: null, snapshot: true }));
    for (const call of [
      () => other.run("x"),
      () => other.value("x"),
      () => other.variables(),
      () => other.snapshot(),
      () => other.restart(),
    ])
      await expect(call()).rejects.toMatchObject({ code: "session/not-owner" });
  });
});
