import { writeFileSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listSessions } from "@artificer/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { createToolkit, defineTool, Session, type SessionOptions } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();
const open: Session[] = [];

function session(options: SessionOptions = {}): Session {
  const made = new Session({ embedder: null, limits: { graceMs: 500 }, ...options });
  open.push(made);
  return made;
}

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

describe("without a usable interpreter", () => {
  it("a missing Python is a refused outcome that says how to mend it", async () => {
    const outcome = await session({ interpreters: { python: "/nowhere/python3" } }).run("1");
    expect(outcome).toMatchObject({
      status: "refused",
      generation: 0,
      error: { code: "kernel/interpreter-missing", hint: expect.any(String) },
    });
    expect(outcome.toText()).toContain("/nowhere/python3");
  });

  it("too old a Python is refused with the version that is needed", async () => {
    const old = join(await temp(), "python-old");
    await writeFile(
      old,
      "#!/bin/sh\nfor last; do :; done\nexec python3 -c \"import sys, collections\nV = collections.namedtuple('V', 'major minor micro releaselevel serial')\nsys.version_info = V(3, 7, 1, 'final', 0)\nsys.version = '3.7.1'\nexec(sys.argv[1])\" \"$last\"\n",
    );
    await chmod(old, 0o755);
    const outcome = await session({ interpreters: { python: old } }).run("1");
    expect(outcome).toMatchObject({ status: "refused", error: { code: "kernel/interpreter-too-old" } });
    expect(outcome.error?.message).toContain("3.9");
  });

  it("a program that is no Python is refused, not waited for", async () => {
    const outcome = await session({ interpreters: { python: "/bin/true" }, limits: { startTimeoutMs: 5000 } }).run("1");
    expect(outcome.status).toBe("refused");
  });

  it("the session works again when the next cell finds one", async () => {
    const options: SessionOptions = { interpreters: { python: join(await temp(), "later") } };
    const one = session(options);
    expect((await one.run("1")).status).toBe("refused");
    await writeFile(options.interpreters!.python!, '#!/bin/sh\nexec python3 "$@"\n', { mode: 0o755 });
    expect(await one.run("1")).toMatchObject({ status: "completed", generation: 1 });
  });
});

describe("the caller's own mistakes", () => {
  it("reject: code that is no string, code too large, an unknown language", async () => {
    const one = session({ limits: { maxCodeBytes: 100 } });
    await expect(one.run(5 as unknown as string)).rejects.toMatchObject({ code: "cell/not-a-string" });
    await expect(one.run("#".repeat(101))).rejects.toMatchObject({ code: "cell/too-large" });
    await expect(one.run("1", { language: "pyton" as "python" })).rejects.toMatchObject({
      code: "session/unknown-language",
      hint: expect.stringContaining("python"),
    });
  });
});

describe("a hostile cell", () => {
  it("that allocates without end meets the memory limit, and the host goes on", async () => {
    const one = session({ limits: { memoryBytes: 512 * 2 ** 20, graceMs: 500 } });
    const outcome = await one.run("hoard = []\nwhile True: hoard.append(bytearray(10**7))");
    expect(["failed", "crashed"]).toContain(outcome.status);
    if (outcome.status === "failed") expect(outcome.error?.type).toBe("MemoryError");
    expect((await one.run("hoard = None\n1")).value).toBe(1);
  });

  it("that uses up its processor time is told the limit by name", async () => {
    const one = session({ limits: { cpuSeconds: 1 } });
    const outcome = await one.run("while True: pass", { timeoutMs: 50_000 });
    expect(outcome).toMatchObject({
      status: "crashed",
      error: { code: "cell/cpu-limit" },
      state: { variables: "lost" },
    });
  });

  it("that calls the host's methods by names it made up gets an error", async () => {
    const outcome = await session().run("tools.nothing.here(a=1)");
    expect(outcome.status).toBe("failed");
    expect(outcome.traceback).toContain("nothing");
  });

  it("that calls more tools than allowed is refused the rest, catches it, and goes on [M8]", async () => {
    const kit = createToolkit({
      name: "kit",
      description: "",
      tools: { ping: defineTool({ description: "", input: { type: "object" }, run: async () => "pong" }) },
    });
    const outcome = await session({ tools: [kit], limits: { maxToolCalls: 3 } }).run(
      "answers = []\nfor i in range(5):\n    try: answers.append(tools.kit.ping())\n    except Exception as e: answers.append(e.code)\nanswers",
    );
    expect(outcome.value).toEqual(["pong", "pong", "pong", "tool/limit-reached", "tool/limit-reached"]);
    expect(outcome.toolCalls.map(({ status }) => status)).toEqual([
      "completed",
      "completed",
      "completed",
      "refused",
      "refused",
    ]);
  });

  it("whose tool answers what can't cross gets a typed error, not a hang", async () => {
    const kit = createToolkit({
      name: "kit",
      description: "",
      tools: { odd: defineTool({ description: "", input: { type: "object" }, run: async () => ({ f: () => 1 }) }) },
    });
    const outcome = await session({ tools: [kit] }).run("tools.kit.odd()");
    expect(outcome.status).toBe("failed");
    expect(outcome.traceback).toContain("$.f");
  });
});

describe("cells in a queue", () => {
  it("run one after another in the order they came, whoever sent them [A11]", async () => {
    const one = session();
    await one.run("seen = []");
    await Promise.all(Array.from({ length: 20 }, (_, index) => one.run(`seen.append(${index})`)));
    expect((await one.run("seen")).value).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it("survive the crash of one of them, and the next is told of the fresh kernel", async () => {
    const one = session();
    const [crash, next] = await Promise.all([one.run("import os\nos._exit(3)"), one.run("1 + 1")]);
    expect(crash).toMatchObject({ status: "crashed", generation: 1 });
    expect(next).toMatchObject({ status: "completed", value: 2, generation: 2 });
  });

  it("tell a kernel that died between two cells", async () => {
    const one = session();
    const go = join(await temp(), "go");
    await one.run(
      `import threading, os, time\ndef die():\n    while not os.path.exists(${JSON.stringify(go)}): time.sleep(0.01)\n    os._exit(9)\nthreading.Thread(target=die).start()`,
    );
    await writeFile(go, "");
    await expect.poll(() => listSessions().find(({ id }) => id === one.id)?.kernels).toEqual([]);
    const next = await one.run("1");
    expect(next).toMatchObject({ status: "completed", generation: 2 });
    expect(next.notices.join()).toContain("fresh kernel");
  });
});

describe("live output", () => {
  it("arrives while the cell runs, in order", async () => {
    const go = join(await temp(), "go");
    let seen = "";
    // The cell goes on once its first line was heard: were that told at its end alone, it would have none.
    const outcome = await session().run(
      `import os, time\nprint('a')\nwhile not os.path.exists(${JSON.stringify(go)}): time.sleep(0.01)\nprint('b')`,
      {
        onOutput: ({ text }) => {
          seen += text;
          if (seen === "a\n") writeFileSync(go, "");
        },
      },
    );
    expect(outcome).toMatchObject({ status: "completed", stdout: "a\nb\n" });
    expect(seen).toBe(outcome.stdout);
  });
});
