import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createKernelPool } from "@artificer/runtime";
import { readingOnly, smallDiskOrSkip } from "@artificer/testkit/confinement";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config/parse-config.js";
import { diagnose } from "../../src/doctor/index.js";
import { createSubprocessExecutor, type FromBaseOptions, Session } from "../../src/index.js";
import { type LocalPackages, openLocalPackages } from "../deps/local-packages.js";
import { useTempFolder } from "../session/temp-folder.js";
import { type StandInUv, standInUv } from "./stand-in-uv.js";

const temp = useTempFolder();
const opened: { close(): Promise<void> }[] = [];
let packages: LocalPackages;

beforeAll(async () => {
  packages = await openLocalPackages();
  for (const version of ["1.0", "2.0"]) packages.makeWheel("local_one", version);
  packages.makeWheel("local_two", "1.0");
});
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});
afterAll(() => packages.close());

interface OpenOptions extends FromBaseOptions {
  base?: string;
  python?: object;
  config?: object;
  making?: string;
}

async function open({ base, python = {}, config = {}, making, ...options }: OpenOptions = {}) {
  const folder = base ?? (await realpath(await temp()));
  const uv: StandInUv = standInUv(await temp(), packages.python, making);
  const deps = { install_args: ["--no-index", "--find-links", packages.wheels] };
  const text = { python: { interpreter: packages.python, ...python }, embeddings: { engine: "none" }, deps, ...config };
  await writeFile(join(folder, "config.yaml"), JSON.stringify(text));
  const session = await Session.fromBase(folder, { hostEnv: uv.hostEnv, ...options });
  opened.push(session);
  return { base: folder, session, uv };
}

const where = "import sys, local_one\n(sys.prefix, local_one.version)";

describe("a session whose Python has an environment of its own [P7]", () => {
  it("makes it in the base at its first Python cell, and finds it after a restart and in the next session", async () => {
    const { base, session, uv } = await open({ python: { venv: { packages: ["local_one==1.0"] } } });
    expect(await session.run("1 + 1", { language: "typescript" })).toMatchObject({ value: 2 });
    expect(existsSync(join(base, ".state", "venv"))).toBe(false);
    const { value } = await session.run(where);
    expect(value).toEqual([expect.stringContaining(join(base, ".state", "venv")), "1.0"]);
    await session.restart();
    expect(await session.run(where)).toMatchObject({ value, generation: 2 });
    await session.close();
    const next = await open({ base, venv: { packages: ["local_one==1.0"] } });
    expect(await next.session.run(where)).toMatchObject({ value });
    expect([...uv.calls(), ...next.uv.calls()].filter((call) => call.startsWith("venv"))).toHaveLength(1);
  });

  it("sees nothing of what the machine's interpreter has, and takes deps of the session on top", async () => {
    const { base, session } = await open({ venv: {} });
    const none = "from importlib import metadata\n[d.metadata['Name'] for d in metadata.distributions()]";
    expect(await session.run(none)).toMatchObject({ value: [] });
    expect(await session.run("%pip install local_two\nimport local_two\nlocal_two.version")).toMatchObject({
      value: "1.0",
      generation: 1,
    });
    expect(await readFile(join(base, "requirements.txt"), "utf8")).toContain("local_two");
    await session.restart();
    expect(await session.run("import local_two, sys\nlocal_two.version")).toMatchObject({ value: "1.0" });
  });

  it("is made once for two sessions that ask at once, with locks between those who make it", async () => {
    const venv = { packages: ["local_one==2.0"] };
    const base = await realpath(await temp());
    const two = await Promise.all([open({ base, venv }), open({ base, venv })]);
    const outcomes = await Promise.all(two.map(({ session }) => session.run(where)));
    expect(outcomes[0]).toMatchObject({ status: "completed", value: outcomes[1]?.value });
    expect(two.flatMap(({ uv }) => uv.calls()).filter((call) => call.startsWith("venv"))).toHaveLength(1);
  });

  it("is of the version that is asked for, or the first cell is refused and told what there is", async () => {
    const [, minor] = packages.version.split(".");
    const { session } = await open({ python: { interpreter: undefined, venv: { python: `3.${minor}` } } });
    expect(await session.run("import sys\nlist(sys.version_info[:2])")).toMatchObject({ value: [3, Number(minor)] });
    const none = await open({ python: { interpreter: undefined }, venv: { python: "3.99" } });
    expect(await none.session.run("1")).toMatchObject({
      status: "refused",
      error: { code: "kernel/interpreter-missing", message: expect.stringMatching(/no Python 3\.99.*there is 3\.\d+/) },
    });
  });

  it("refuses the cell with the installer's last words when a package can't be had, and tries anew with the next", async () => {
    const folder = await temp();
    const { session } = await open({
      venv: { packages: ["local_late"] },
      config: { deps: { install_args: ["--no-index", "--find-links", folder] } },
    });
    const outcome = await session.run("1");
    expect(outcome).toMatchObject({ status: "refused", error: { code: "dep/install-failed" } });
    expect(outcome.toText()).toContain("local_late");
    packages.makeWheel("local_late", "1.0", { folder });
    expect(await session.run("import local_late\nlocal_late.version")).toMatchObject({ value: "1.0" });
  });

  it("leaves nothing of it when the cell's signal or the session's end comes first", async () => {
    const started = join(await temp(), "started");
    const making = `mkdir -p "$4/half"; echo > ${started}; exec sleep 1000`;
    const begun = () => expect.poll(() => existsSync(started)).toBe(true);
    const left = async (base: string) =>
      (await readdir(join(base, ".state", "venv"))).filter((name) => !name.endsWith(".lock"));
    const { base, session } = await open({ venv: {}, making });
    const controller = new AbortController();
    const first = session.run("1", { signal: controller.signal });
    await begun();
    controller.abort(new Error("enough"));
    expect((await first).status).toBe("interrupted");
    expect(await left(base)).toEqual([]);
    await rm(started);
    const second = session.run("1");
    await begun();
    await session.close();
    expect(["interrupted", "refused", "crashed"]).toContain((await second).status);
    expect(await left(base)).toEqual([]);
  });

  it("goes with its base when that is moved", async () => {
    const venv = { packages: ["local_one==1.0"] };
    const { base, session } = await open({ venv });
    await session.run(where);
    await session.close();
    const moved = `${base}-moved`;
    await rename(base, moved);
    opened.push({ close: () => promisify(execFile)("rm", ["-rf", moved]).then(() => undefined) });
    const next = await open({ base: moved, venv });
    expect(await next.session.run(where)).toMatchObject({ value: [expect.stringContaining(moved), "1.0"] });
  });

  it("has shelves of its own in a pool that sessions share", async () => {
    const pool = createKernelPool({ executor: createSubprocessExecutor(), size: 1, refillDelayMs: 1 });
    opened.push(pool);
    for (const version of ["1.0", "2.0", "1.0"]) {
      const { session } = await open({ executor: pool, venv: { packages: [`local_one==${version}`] } });
      expect(await session.run("import local_one\nlocal_one.version")).toMatchObject({ value: version });
    }
    const { session } = await open({ executor: pool });
    expect(await session.run("import local_one")).toMatchObject({ error: { type: "ModuleNotFoundError" } });
  });

  it("is kept in a folder of the user's where there is no base, and a sub-agent has it too", async () => {
    const cache = await realpath(await temp());
    const uv = standInUv(await temp(), packages.python);
    const before = process.env.XDG_CACHE_HOME;
    process.env.XDG_CACHE_HOME = cache;
    try {
      const wheel = join(packages.wheels, "local_one-1.0-py3-none-any.whl");
      const venv = { packages: [`local_one @ file://${wheel}`] };
      const interpreters = { python: packages.python };
      const session = new Session({ embedder: null, interpreters, hostEnv: uv.hostEnv, venv });
      opened.push(session);
      const { value } = await session.run(where);
      expect(value).toEqual([expect.stringContaining(cache), "1.0"]);
      const child = new Session({ parent: session });
      opened.push(child);
      expect(await child.run(where)).toMatchObject({ value });
      expect(() => new Session({ embedder: null, venv, programs: [] })).toThrow(/either programs or a venv/);
    } finally {
      if (before === undefined) delete process.env.XDG_CACHE_HOME;
      else process.env.XDG_CACHE_HOME = before;
    }
  });
});

describe("the executors and an environment of the session's own [P7]", () => {
  it("sandbox: cells see it, read-only, in a base that is else empty to them; or this machine says why it has none", async () => {
    const { session } = await open({ executor: "sandbox", venv: { packages: ["local_one==1.0"] } });
    const outcome = await session.run(
      `${where}\ntry:\n    open(sys.prefix + "/mine", "w")\nexcept OSError as e:\n    pass\nelse:\n    raise AssertionError\nlocal_one.version`,
    );
    if (outcome.status === "refused") expect(outcome.error?.code).toBe("executor/unavailable");
    else expect(outcome).toMatchObject({ status: "completed", value: "1.0" });
  });

  it("container: is refused when the session is opened, with what to do instead", async () => {
    await expect(open({ executor: "container", venv: {} })).rejects.toMatchObject({
      code: "executor/unsupported",
      message: expect.stringContaining("container executor can't use a virtual environment"),
      hint: expect.stringContaining("PACKAGES"),
    });
  });
});

describe("python.venv in config.yaml", () => {
  it("says which line is wrong: a version without quotes, a spec that is none, an unknown key", () => {
    const refusal = (text: string) => {
      try {
        return parseConfig(text, "c");
      } catch (thrown) {
        return thrown;
      }
    };
    expect(refusal("python:\n  venv:\n    python: 3.10\n")).toMatchObject({
      code: "config/invalid",
      message: expect.stringMatching(/line 3.*quotes/),
    });
    expect(refusal('python:\n  venv:\n    python: "three"\n')).toMatchObject({
      message: expect.stringMatching(/line 3/),
    });
    expect(refusal("python:\n  venv:\n    packages:\n      - pandas\n      - no spec !\n")).toMatchObject({
      code: "config/invalid",
      message: expect.stringMatching(/line 5.*no package requirement/),
    });
    expect(refusal("python:\n  venv:\n    package: [pandas]\n")).toMatchObject({ code: "config/unknown-key" });
  });

  it("is shown by the doctor, which makes none", async () => {
    const { base, session } = await open({ python: { venv: { packages: ["local_one"] } } });
    const venvCheck = async () => (await diagnose({ base })).checks.filter(({ name }) => name === "venv");
    expect(await venvCheck()).toMatchObject([{ status: "ok", detail: expect.stringContaining("made by the first") }]);
    expect(existsSync(join(base, ".state", "venv"))).toBe(false);
    await session.run("1");
    expect(await venvCheck()).toMatchObject([{ status: "ok", detail: expect.stringMatching(/local_one; made, at/) }]);
    const text = JSON.stringify({ python: { venv: { python: "3.99" } } });
    await writeFile(join(base, "config.yaml"), text);
    expect(await venvCheck()).toMatchObject([{ status: "fail", detail: expect.stringContaining("no Python 3.99") }]);
  });
});

describe("Session.subprocess [P1]", () => {
  it("opens a folder with kernels as processes of this machine, whatever its config.yaml names", async () => {
    const base = await temp();
    await writeFile(join(base, "config.yaml"), "executor: container\nembeddings: { engine: none }\n");
    const session = await Session.subprocess(base);
    opened.push(session);
    expect(session.parts.executor.kind).toBe("subprocess");
    expect(await session.run("import os\nos.getppid()")).toMatchObject({ value: process.pid });
  });
});

describe("hosts as processes of their own", () => {
  const program = fileURLToPath(new URL("confined-venv.mjs", import.meta.url));
  const run = async (before: string[], base: string, env: Record<string, string> = {}) => {
    const [command = "", ...args] = [...before, process.execPath, program, base, packages.python, packages.wheels];
    const { stdout } = await promisify(execFile)(command, args, { env: { ...process.env, ...env } });
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  it("that ask for one at once make it once [P7]", async () => {
    const base = await temp();
    const { hostEnv, calls } = standInUv(await temp(), packages.python);
    const both = await Promise.all([1, 2].map(() => run([], base, { PATH: hostEnv.PATH ?? "" })));
    expect(both).toMatchObject([{ status: "completed" }, { status: "completed", value: both[0]?.value }]);
    expect(calls().filter((call) => call.startsWith("venv"))).toHaveLength(1);
  });

  it("on a full disk refuse the cell by storage/full [P7]", async (context) => {
    const base = await temp();
    expect(await run(await smallDiskOrSkip(context, base), base)).toMatchObject({
      status: "refused",
      error: { code: "storage/full" },
    });
  });

  it("with a base on a read-only disk have the environment in a folder of the user's [P7]", async () => {
    const base = await temp();
    const cache = await realpath(await temp());
    expect(await run(await readingOnly(base), base, { XDG_CACHE_HOME: cache })).toMatchObject({
      status: "completed",
      value: [expect.stringContaining(cache), "2.0"],
    });
  });
});
