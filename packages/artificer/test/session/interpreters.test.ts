import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createPythonKernel } from "@artificer/kernel-python";
import { afterEach, describe, expect, it } from "vitest";
import { type Outcome, Session, type SessionOptions } from "../../src/index.js";
import { pythonsOfThisMachine } from "../support/pythons-of-this-machine.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();
const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

function open(options: SessionOptions): Session {
  const session = new Session({ embedder: null, ...options });
  sessions.push(session);
  return session;
}

const { path: python } = await createPythonKernel().findInterpreter();
/** Small where it is what ends the start. */
const timeFor = ({ code }: Broken) => (code === "kernel/start-timed-out" ? 3_000 : 60_000);

/** A program at the folder's end, which says in its arguments who started it. */
async function program(text: string, mode = 0o755): Promise<string> {
  const path = join(await temp(), "interpreter");
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

/** Processes whose command line names the path: none may be left of a program that failed. */
async function processesOf(path: string): Promise<string[]> {
  if (process.platform !== "linux")
    return execFileSync("ps", ["ax", "-o", "command"])
      .toString()
      .split("\n")
      .filter((line) => line.includes(path));
  const commands = await Promise.all(
    (await readdir("/proc"))
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return commands.filter((command) => command.includes(path));
}

interface Broken {
  what: string;
  make(): Promise<string>;
  code: string;
  message: RegExp;
}

const asked = (python: string) => `#!/bin/sh\ncase "$*" in *json.dump*) exec ${python} "$@";; esac\n`;
const old = `#!/bin/sh\necho '{"path": "/usr/bin/python2", "version": "2.7.18", "prefixes": []}'\n`;

const brokenPythons: Broken[] = [
  {
    what: "a script that exits with 1, and says why",
    make: () => program("#!/bin/sh\necho 'libpython is missing' >&2\nexit 1\n"),
    code: "kernel/interpreter-missing",
    message: /ended with status 1, saying "libpython is missing"/,
  },
  {
    what: "one that prints garbage",
    make: () => program("#!/bin/sh\necho '{{{ hello'\n"),
    code: "kernel/interpreter-missing",
    message: /answered something else, saying "{{{ hello"/,
  },
  {
    what: "one that prints JSON of another kind",
    make: () => program("#!/bin/sh\necho '{\"version\": 3}'\n"),
    code: "kernel/interpreter-missing",
    message: /answered something else/,
  },
  {
    what: "one that prints without end",
    make: () => program("#!/bin/sh\nexec yes $0\n"),
    code: "kernel/interpreter-missing",
    message: /wrote without end/,
  },
  {
    what: "one that hangs when it is asked who it is, with a child that ignores what it is told",
    make: () =>
      program(
        "#!/bin/sh\ntrap '' TERM INT HUP\n(trap '' TERM INT HUP; exec -a x sleep 600 $0) &\nsh -c 'sleep 600' $0\n",
      ),
    code: "kernel/start-timed-out",
    message: /did not answer within 3000 ms/,
  },
  {
    what: "one that answers well and leaves a child behind that holds its output",
    make: () => program(`#!/bin/sh\nsh -c 'sleep 600; : $0' $0 &\necho nothing\n`),
    code: "kernel/interpreter-missing",
    message: /answered something else, saying "nothing"/,
  },
  {
    what: "one that says it is 2.7",
    make: () => program(old),
    code: "kernel/interpreter-too-old",
    message: /Python 2\.7\.18; cells need 3\.9 or newer/,
  },
  {
    what: "a file that is not executable",
    make: () => program("#!/bin/sh\n", 0o644),
    code: "kernel/interpreter-missing",
    message: /not marked as executable/,
  },
  {
    what: "a path where nothing is",
    make: async () => join(await temp(), "interpreter"),
    code: "kernel/interpreter-missing",
    message: /There is no program at/,
  },
  {
    what: "a folder",
    make: temp,
    code: "kernel/interpreter-missing",
    message: /is a folder; .*bin\/python/,
  },
  {
    what: "a file that is no program at all",
    make: () => program("\u0000\u0001\u0002 no program"),
    code: "kernel/interpreter-missing",
    message: /could not be started|ended with status|answered something else/,
  },
  {
    what: "one that answers well, and exits when it should run the kernel",
    make: () =>
      program(
        `${asked(python).replace("exec ", `echo '{"path": "'$0'", "version": "3.11.0", "prefixes": []}'; exit; : `)}echo 'out of luck' >&2\nexit 7\n`,
      ),
    code: "kernel/start-failed",
    message: /exited with code 7 before it could run a cell, saying "out of luck"/,
  },
  {
    what: "one that answers well, and hangs when it should run the kernel",
    make: () =>
      program(
        `${asked(python).replace("exec ", `echo '{"path": "'$0'", "version": "3.11.0", "prefixes": []}'; exit; : `)}echo waiting\nsh -c 'sleep 600; : $0' $0\n`,
      ),
    code: "kernel/start-timed-out",
    message: /did not answer within 3000 ms of its start, saying "waiting"/,
  },
  {
    what: "one that answers well, and sends garbage on the kernel's own channel",
    make: () =>
      program(
        `${asked(python).replace("exec ", `echo '{"path": "'$0'", "version": "3.11.0", "prefixes": []}'; exit; : `)}echo 'GET / HTTP/1.1' >&3\nsleep 600\n`,
      ),
    code: "kernel/protocol-violation",
    message: /no message/,
  },
];

function expectRefused(outcome: Outcome, { code, message }: Pick<Broken, "code" | "message">): void {
  expect(outcome).toMatchObject({
    status: "refused",
    generation: 0,
    error: { code, hint: expect.stringMatching(/\w{4}/) },
  });
  expect(outcome.error?.message).toMatch(message);
  expect(outcome.toText()).not.toMatch(/\n\s+at .*:\d+:\d+/);
}

describe("a broken Python", () => {
  it.each(brokenPythons)(
    "$what: is refused with how to mend it, leaves no process, and works once it is mended",
    async (broken) => {
      const path = await broken.make();
      const session = open({ interpreters: { python: path }, limits: { startTimeoutMs: timeFor(broken) } });
      expectRefused(await session.run("1"), broken);
      await expect.poll(() => processesOf(path)).toEqual([]);
      session.limits.startTimeoutMs = 60_000;
      // The other language does not mind.
      expect((await session.run("2 + 2", { language: "typescript" })).value).toBe(4);
      if (broken.what === "a folder") return;
      await writeFile(path, `#!/bin/sh\nexec ${python} "$@"\n`);
      await chmod(path, 0o755);
      expect(await session.run("1 + 1")).toMatchObject({ status: "completed", value: 2, generation: 1 });
    },
  );
});

it.each([
  ["with a NUL in it", "/usr/bin/py\0thon"],
  ["longer than any path may be", `/${"x".repeat(5000)}`],
])("a path %s is refused in both languages as any other where nothing is", async (_what, path) => {
  const session = open({ interpreters: { python: path, typescript: path } });
  for (const language of ["python", "typescript"] as const)
    expect(await session.run("1", { language })).toMatchObject({
      status: "refused",
      error: { code: "kernel/interpreter-missing", hint: expect.any(String) },
    });
});

describe("a broken Node for TypeScript", () => {
  const node = (text: string, mode?: number) => () => program(text, mode);
  const brokenNodes: Broken[] = [
    {
      what: "a script that exits with 1",
      make: node("#!/bin/sh\necho 'bad image' >&2\nexit 1\n"),
      code: "kernel/interpreter-missing",
      message: /ended with status 1, saying "bad image"/,
    },
    {
      what: "one that prints garbage",
      make: node("#!/bin/sh\necho twenty\n"),
      code: "kernel/interpreter-missing",
      message: /answered something else, saying "twenty"/,
    },
    {
      what: "one that hangs",
      make: node("#!/bin/sh\ntrap '' TERM\nsh -c 'sleep 600; : $0' $0\n"),
      code: "kernel/start-timed-out",
      message: /did not answer within 3000 ms/,
    },
    {
      what: "one that is too old",
      make: node("#!/bin/sh\necho 16.20.2\n"),
      code: "kernel/interpreter-too-old",
      message: /Node 16\.20\.2/,
    },
    {
      what: "a file that is not executable",
      make: node("#!/bin/sh\n", 0o644),
      code: "kernel/interpreter-missing",
      message: /could not be started/,
    },
    {
      what: "a path where nothing is",
      make: async () => join(await temp(), "interpreter"),
      code: "kernel/interpreter-missing",
      message: /could not be started/,
    },
    { what: "a folder", make: temp, code: "kernel/interpreter-missing", message: /could not be started/ },
    {
      what: "one that answers well, and exits when it should run the kernel",
      make: node("#!/bin/sh\n[ $1 = -p ] && { echo 20.19.0; exit; }\necho 'no memory' >&2\nexit 9\n"),
      code: "kernel/start-failed",
      message: /exited with code 9 before it could run a cell, saying "no memory"/,
    },
  ];

  it.each(brokenNodes)(
    "$what: is refused with how to mend it, leaves no process, and works once it is mended",
    async (broken) => {
      const path = await broken.make();
      const session = open({ interpreters: { typescript: path }, limits: { startTimeoutMs: timeFor(broken) } });
      expectRefused(await session.run("1", { language: "typescript" }), broken);
      await expect.poll(() => processesOf(path)).toEqual([]);
      session.limits.startTimeoutMs = 60_000;
      expect((await session.run("2 + 2")).value).toBe(4);
      if (broken.what === "a folder") return;
      await writeFile(path, `#!/bin/sh\nexec ${process.execPath} "$@"\n`);
      await chmod(path, 0o755);
      expect(await session.run("1 + 1", { language: "typescript" })).toMatchObject({ status: "completed", value: 2 });
    },
  );
});

describe("interpreters of every kind", () => {
  const cell =
    "import sys, json, asyncio\nclass Point:\n    x = 2\nawait asyncio.sleep(0)\n[sys.prefix, sys.base_prefix, Point.x]";

  it("a virtual environment with a module of its own, and the interpreter it was made of without it", async () => {
    const folder = join(await temp(), "venv");
    execFileSync(python, ["-m", "venv", "--without-pip", folder]);
    const site = join(folder, "lib", (await readdir(join(folder, "lib")))[0]!, "site-packages");
    await mkdir(join(site, "only_here"));
    await writeFile(join(site, "only_here", "__init__.py"), "answer = 42\n");
    const inside = open({ interpreters: { python: join(folder, "bin", "python") } });
    expect((await inside.run(cell)).value).toEqual([folder, expect.not.stringContaining(folder), 2]);
    expect((await inside.run("import only_here; only_here.answer")).value).toBe(42);
    const outside = open({ interpreters: { python } });
    expect((await outside.run("import only_here")).error?.type).toBe("ModuleNotFoundError");
  });

  it("each Python of this machine, with IPython or without: engine auto takes it where it is and says so", async () => {
    const bare = join(await temp(), "bare");
    execFileSync(python, ["-m", "venv", "--without-pip", bare]);
    const found = [...(await pythonsOfThisMachine()), { path: join(bare, "bin", "python"), ipython: false }];
    console.info(
      `Pythons: ${found.map(({ path, ipython }) => `${path} ${ipython ? "with" : "without"} IPython`).join(", ")}`,
    );
    for (const { path, ipython } of found) {
      const own = open({ interpreters: { python: path } });
      expect((await own.run(cell)).value).toEqual([expect.any(String), expect.any(String), 2]);
      expect((await own.run("%who_ls")).value).toEqual(expect.arrayContaining(["Point"]));
      const auto = open({ interpreters: { python: path }, engine: "auto" });
      expect((await auto.run("'get_ipython' in dir(__import__('builtins'))")).value).toBe(ipython);
      const demanded = open({ interpreters: { python: path }, engine: "ipython" });
      const outcome = await demanded.run("get_ipython().__class__.__name__");
      if (ipython) expect(outcome.status).toBe("completed");
      else expect(outcome).toMatchObject({ status: "refused", error: { hint: expect.stringContaining("ipython") } });
    }
  });
});
