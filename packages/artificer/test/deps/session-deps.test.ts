import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isRunning } from "@artificer/testkit/services";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type FromBaseOptions, Session } from "../../src/index.js";
import { useTempFolder } from "../session/temp-folder.js";
import { type LocalPackages, openLocalPackages } from "./local-packages.js";

const temp = useTempFolder();
let packages: LocalPackages;
let session: Session | undefined;

beforeAll(async () => {
  packages = await openLocalPackages();
  for (const name of ["local_one", "local_two", "local_three"]) packages.makeWheel(name, "1.0");
});
afterEach(() => session?.close());
afterAll(() => packages.close());

async function open(requirements: string, config: object = {}, options: FromBaseOptions = {}) {
  const base = await temp();
  await writeFile(join(base, "requirements.txt"), requirements);
  const deps = { install_args: ["--no-index", "--find-links", packages.wheels], ...config };
  const text = { python: { interpreter: packages.python }, embeddings: { engine: "none" }, deps };
  await writeFile(join(base, "config.yaml"), JSON.stringify(text));
  session = await Session.fromBase(base, options);
  return { base, session };
}

describe("deps of a session [P6]", () => {
  it("are importable right after deps.add, %pip install or addDep, in the kernel that runs", async () => {
    const { base, session } = await open("# mine\n");
    expect(await session.run("import local_one")).toMatchObject({ error: { type: "ModuleNotFoundError" } });
    expect(await session.run("deps.add('local_one')\nimport local_one\nlocal_one.version")).toMatchObject({
      status: "completed",
      value: "1.0",
      generation: 1,
    });
    expect(await session.run("%pip install local_two\nimport local_two\nlocal_two.version")).toMatchObject({
      value: "1.0",
      stdout: "Installed local_two. It can be imported now.\n",
    });
    expect(await session.addDep("local-three==1.0")).toMatchObject({ name: "local-three", installed: true });
    expect(await session.run("import local_three\nlocal_three.version")).toMatchObject({ value: "1.0", generation: 1 });
    expect(await readFile(join(base, "requirements.txt"), "utf8")).toBe(
      "# mine\nlocal_one\nlocal_two\nlocal-three==1.0\n",
    );
    await session.restart();
    expect(await session.run("import local_one, local_three\n[d['installed'] for d in deps.list()]")).toMatchObject({
      value: [true, true, true],
      generation: 2,
    });
    expect(await session.run("%pip uninstall -y local_one\n[d.name for d in deps.list()]")).toMatchObject({
      value: ["local-two", "local-three"],
    });
    await session.syncDeps();
    await session.restart();
    expect(await session.run("import local_one")).toMatchObject({ error: { type: "ModuleNotFoundError" } });
  });

  it("are not added when they can't be installed, and the cell is told why", async () => {
    const { base, session } = await open("local_one\n");
    const outcome = await session.run("%pip install no_such_package_here");
    expect(outcome).toMatchObject({ status: "failed", error: { type: "DepError" } });
    expect(outcome.traceback).toContain("No matching distribution");
    expect(await session.run("deps.add('not a requirement !')")).toMatchObject({ status: "failed" });
    expect(await readFile(join(base, "requirements.txt"), "utf8")).toBe("local_one\n");
  });

  it("of requirements.txt are installed by deps.sync, or before the first cell when the base says so", async () => {
    const first = await open("local_one\n");
    expect(await first.session.run("deps.list()[0].installed")).toMatchObject({ value: false });
    expect(await first.session.run("deps.sync()\nimport local_one\nlocal_one.version")).toMatchObject({ value: "1.0" });
    await first.session.close();
    const second = await open("local_two\n", { sync_on_start: true });
    expect(await second.session.run("import local_two\nlocal_two.version")).toMatchObject({ value: "1.0" });
    await second.session.close();
    const third = await open("no_such_package_here\n", { sync_on_start: true });
    expect(await third.session.run("1 + 1")).toMatchObject({ status: "completed", value: 2 });
    expect(third.session.problems).toMatchObject([{ code: "dep/install-failed" }]);
  });

  it("are locked by allowRuntimeDeps: false, against deps.add, %pip, !pip and a changed requirements.txt", async () => {
    const { base, session } = await open("local_one\n", { allow_runtime: false });
    for (const code of [
      "deps.add('local_two')",
      "deps.remove('local_one')",
      "%pip install local_two",
      "!pip install local_two",
    ]) {
      const outcome = await session.run(`try:\n    ${code}\nexcept Exception as error:\n    code = error.code\ncode`);
      expect(outcome, code).toMatchObject({ value: "dep/locked" });
    }
    await expect(session.addDep("local_two")).rejects.toMatchObject({ code: "dep/locked" });
    await writeFile(join(base, "requirements.txt"), "local_one\nlocal_two\n");
    expect(await session.run("deps.sync()\nimport local_one\n[d.name for d in deps.list()]")).toMatchObject({
      value: ["local-one"],
    });
    expect(await session.run("import local_two")).toMatchObject({ error: { type: "ModuleNotFoundError" } });
  });

  it("stop being installed when the cell is interrupted", async () => {
    const programs = await temp();
    const started = join(programs, "started");
    await writeFile(join(programs, "uv"), `#!/bin/sh\necho $$ > ${started}\nexec sleep 1000\n`, { mode: 0o755 });
    const hostEnv = { ...process.env, PATH: `${programs}:${process.env.PATH}` };
    const { session } = await open("", {}, { hostEnv, limits: { graceMs: 20_000 } });
    const controller = new AbortController();
    const running = session.run("kept = 1\ndeps.add('local_one')", { signal: controller.signal });
    const pid = async () => Number(await readFile(started, "utf8").catch(() => "0"));
    await expect.poll(pid).toBeGreaterThan(0);
    controller.abort(new Error("enough"));
    expect(await running).toMatchObject({ status: "interrupted", state: { variables: "kept" } });
    const installer = await pid();
    await expect.poll(() => isRunning(installer)).toBe(false);
    expect((await session.run("kept")).value).toBe(1);
  });
});

describe("allowShell: false [A9]", () => {
  it("closes the shell's doors by option and by config, with its own error code and a hint", async () => {
    const { session } = await open("", {}, { allowShell: false });
    const outcome = await session.run("print('early')\n!echo no");
    expect(outcome).toMatchObject({ status: "failed", stdout: "", error: { code: "cell/shell-disabled" } });
    expect(outcome.toText()).toContain("Use Python instead");
    expect(await session.run("%pwd")).toMatchObject({ status: "completed" });
  });
});
