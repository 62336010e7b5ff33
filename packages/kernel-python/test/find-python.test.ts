import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRunning } from "@artificer/testkit/services";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPythonKernel, type PythonKernelOptions } from "../src/index.js";
import { ScriptedHost } from "./support/scripted-host.js";

describe("finding an interpreter", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "artificer-find-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const find = (options: PythonKernelOptions = {}, path?: string) =>
    createPythonKernel(options).findInterpreter({ path });

  async function program(name: string, script: string): Promise<string> {
    const path = join(folder, name);
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, script);
    await chmod(path, 0o755);
    return path;
  }

  it("gives the real binary, its version and the folders it needs", async () => {
    const found = await find();
    expect(found.version).toMatch(/^3\.\d+\.\d+$/);
    expect(execFileSync(found.path, ["-c", "import sys; print(sys.executable)"]).toString().trim()).toBe(found.path);
    expect(found.prefixes.length).toBeGreaterThan(0);
  });

  it("looks through a version manager's shim", async () => {
    const real = await find();
    const shim = await program("shims/python3", `#!/bin/sh\nexec "${real.path}" "$@"\n`);
    expect(await find({}, shim)).toMatchObject({ path: real.path, version: real.version });
    expect(await find({ searchPath: join(folder, "shims") })).toMatchObject({ path: real.path });
  });

  it("passes over one that is too old while there is another", async () => {
    const real = await find();
    const old = await program(
      "old/python3",
      `#!/bin/sh\necho '{"path": "/old/python", "version": "3.8.1", "prefixes": []}'\n`,
    );
    await mkdir(join(folder, "new"), { recursive: true });
    await symlink(real.path, join(folder, "new", "python3"));
    expect(await find({ searchPath: `${join(folder, "old")}:${join(folder, "new")}` })).toMatchObject({
      version: real.version,
    });
    await expect(find({ searchPath: join(folder, "old") })).rejects.toMatchObject({
      code: "kernel/interpreter-too-old",
    });
    await expect(find({}, old)).rejects.toMatchObject({
      code: "kernel/interpreter-too-old",
      message: expect.stringContaining("3.8.1"),
      details: { minimum: "3.9" },
    });
  });

  it("passes over one that hangs, in time for those behind it, and leaves nothing of it", async () => {
    const real = await find();
    const pids = join(folder, "hanging.pid");
    await program(
      "hanging/python3",
      `#!/bin/sh\ntrap '' TERM\necho $$ > ${pids}\nsleep 600 &\necho $! >> ${pids}\nwait; sleep 600\n`,
    );
    await mkdir(join(folder, "behind"), { recursive: true });
    await symlink(real.path, join(folder, "behind", "python3"));
    const searchPath = `${join(folder, "hanging")}:${join(folder, "behind")}`;
    expect(await createPythonKernel({ searchPath }).findInterpreter({ timeoutMs: 4000 })).toMatchObject({
      version: real.version,
    });
    const left = (await readFile(pids, "utf8")).trim().split("\n").map(Number);
    expect(left).toHaveLength(2);
    await expect.poll(() => left.map(isRunning)).toEqual([false, false]);
  });

  it("says what is missing and how to mend it", async () => {
    const missing = { code: "kernel/interpreter-missing", hint: expect.stringContaining("3.9") };
    await expect(find({ searchPath: join(folder, "nowhere") })).rejects.toMatchObject(missing);
    await expect(find({}, join(folder, "no-python"))).rejects.toMatchObject(missing);
    await expect(find({}, "no-such-python")).rejects.toMatchObject(missing);
    await expect(find({ virtualEnv: join(folder, "no-venv") })).rejects.toMatchObject(missing);
    const liar = await program("liar/python3", "#!/bin/sh\necho hello\n");
    await expect(find({}, liar)).rejects.toMatchObject({ code: "kernel/interpreter-missing" });
  });

  it("uses a virtual environment, whose packages can be imported and whose prefix is seen", async () => {
    const real = await find();
    const venv = join(folder, "venv");
    execFileSync(real.path, ["-m", "venv", "--without-pip", venv]);
    const found = await find({ virtualEnv: venv });
    expect(found.path).toBe(join(venv, "bin", "python"));
    const site = execFileSync(found.path, ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
      .toString()
      .trim();
    await writeFile(join(site, "only_in_venv.py"), "where = 'venv'\n");
    await mkdir(join(site, "some_dist-1.2.dist-info"));
    await writeFile(
      join(site, "some_dist-1.2.dist-info", "METADATA"),
      "Metadata-Version: 2.1\nName: some-dist\nVersion: 1.2\n",
    );
    const host = await ScriptedHost.start({ python: found.path });
    try {
      expect((await host.run("import importlib.metadata as m\nm.version('some-dist')")).value).toBe("1.2");
      expect((await host.run("import only_in_venv, sys\nonly_in_venv.where, sys.prefix")).value).toEqual([
        "venv",
        venv,
      ]);
    } finally {
      await host.close();
    }
  });

  it("starts the kernel isolated, with UTF-8 and a folder for its byte code", async () => {
    const kernel = createPythonKernel({ cacheFolder: "/some/cache" });
    const command = kernel.command({ path: "/py", version: "3.11.0", prefixes: [] }, { folder: "/k", wire: "fd:3" });
    expect(command).toEqual(["/py", "-I", "-S", "-X", "utf8", "/k/main.py", "fd:3", "/some/cache"]);
  });
});
