import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, realpath, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { createPythonKernel } from "@artificer/kernel-python";
import { afterEach, describe, expect, it } from "vitest";
import { type FromBaseOptions, Session } from "../../src/index.js";
import { useTempFolder } from "./temp-folder.js";

const temp = useTempFolder();
const run = promisify(execFile);

describe("a session's mode", () => {
  const open: Session[] = [];
  afterEach(() => Promise.all(open.splice(0).map((session) => session.close())));

  /** A project folder with a module of its own, a base in it, and no virtual environment active. */
  async function project() {
    const folder = await realpath(await temp());
    await writeFile(join(folder, "my_project.py"), "answer = 42\n");
    const hostEnv: Record<string, string> = { PATH: process.env.PATH ?? "", HOME: folder };
    return { folder, base: join(folder, ".artificer"), hostEnv };
  }

  async function openIn(
    { folder, base, hostEnv }: Awaited<ReturnType<typeof project>>,
    options: FromBaseOptions = {},
  ): Promise<Session> {
    const session = await Session.fromBase(base, {
      cwd: folder,
      hostEnv,
      home: join(folder, "home"),
      embedder: null,
      ...options,
    });
    open.push(session);
    return session;
  }

  async function makeVenv(folder: string): Promise<string> {
    const { path } = await createPythonKernel().findInterpreter();
    await run(path, ["-m", "venv", "--without-pip", folder]);
    return folder;
  }

  const prefix = "import os, sys; os.path.dirname(os.path.dirname(sys.executable))";

  it("is project by default: cells run in the session's folder and can import it [M5]", async () => {
    const here = await project();
    const session = await openIn(here);
    expect((await session.run("import os, my_project\n(os.getcwd(), my_project.answer)")).value).toEqual([
      here.folder,
      42,
    ]);
  });

  it("strict gives the session a folder of its own, which can't import the project and is gone at the end [M5]", async () => {
    const here = await project();
    const session = await openIn(here, { mode: "strict" });
    const { value: folder } = await session.run("import os; os.getcwd()");
    expect(folder).not.toBe(here.folder);
    expect(dirname(folder as string)).toBe(join(here.base, ".state", "staging"));
    expect((await session.run("import my_project")).error).toMatchObject({ type: "ModuleNotFoundError" });
    await session.run("open('made.txt', 'w').write('x')");
    await session.restart();
    // The folder is the session's, not the kernel's.
    expect((await session.run("import os; os.listdir()")).value).toEqual(["made.txt"]);
    await session.close();
    expect(await readdir(join(here.base, ".state", "staging"))).toEqual([]);
  });

  it("two strict sessions of one base share no folder [M5]", async () => {
    const here = await project();
    const sessions = [await openIn(here, { mode: "strict" }), await openIn(here, { mode: "strict" })];
    const folders = await Promise.all(sessions.map(async (one) => (await one.run("import os; os.getcwd()")).value));
    expect(new Set(folders).size).toBe(2);
  });

  it("can be set in config.yaml, in any capitals, and a word that is none is refused [M5] [M11]", async () => {
    const here = await project();
    await mkdir(here.base);
    const config = join(here.base, "config.yaml");
    await writeFile(config, 'code_execution: {mode: "  STRICT "}');
    const session = await openIn(here);
    expect((await session.run("import my_project")).status).toBe("failed");
    await writeFile(config, "code_execution: {mode: banana}");
    await expect(openIn(here)).rejects.toMatchObject({
      code: "config/invalid",
      message: expect.stringMatching(/code_execution\.mode.*project.*strict/),
    });
  });

  it("project uses the active virtual environment, VIRTUAL_ENV before CONDA_PREFIX before .venv; strict its own [M5]", {
    timeout: 60_000,
  }, async () => {
    const here = await project();
    const [active, conda, local] = await Promise.all(
      ["active", "conda", ".venv"].map((name) => makeVenv(join(here.folder, name))),
    );
    const hostEnv = { ...here.hostEnv, PATH: `${active}/bin:${here.hostEnv.PATH}` };
    const prefixIn = async (more: Record<string, string>, mode: "project" | "strict" = "project") => {
      const session = await openIn({ ...here, hostEnv: { ...hostEnv, ...more } }, { mode });
      return (await session.run(prefix)).value;
    };
    expect(await prefixIn({ VIRTUAL_ENV: active!, CONDA_PREFIX: conda! })).toBe(active);
    expect(await prefixIn({ VIRTUAL_ENV: join(here.folder, "none"), CONDA_PREFIX: conda! })).toBe(conda);
    expect(await prefixIn({})).toBe(local);
    const own = await prefixIn({ VIRTUAL_ENV: active!, CONDA_PREFIX: conda! }, "strict");
    expect([active, conda, local]).not.toContain(own);
  });

  it("falls back to the machine's own interpreter when the environment's is broken, and tells so [M5]", async () => {
    const here = await project();
    const broken = join(here.folder, "broken", "bin", "python");
    await mkdir(dirname(broken), { recursive: true });
    await writeFile(broken, "#!/bin/sh\nexit 3\n");
    await chmod(broken, 0o755);
    const session = await openIn({ ...here, hostEnv: { ...here.hostEnv, VIRTUAL_ENV: join(here.folder, "broken") } });
    expect((await session.run("1")).status).toBe("completed");
    expect(session.problems).toEqual([
      expect.objectContaining({ code: "kernel/interpreter-missing", message: expect.stringContaining(broken) }),
    ]);
  });

  it("removes what a host that was killed left behind, and nothing else [M5]", async () => {
    const here = await project();
    const staging = join(here.base, ".state", "staging");
    const first = await openIn(here, { mode: "strict" });
    const { value } = await first.run("import os; os.getcwd()");
    const name = (value as string).split("/").at(-1)!;
    const { stdout } = await run(process.execPath, ["-p", "process.pid"]);
    const gone = name.replace(`-${process.pid}-`, `-${stdout.trim()}-`);
    const weekAgo = new Date(Date.now() - 8 * 86_400_000);
    for (const left of [gone, "artificer-staging-elsewhere-1-old", "artificer-staging-elsewhere-1-new", "unrelated"])
      await mkdir(join(staging, left));
    await writeFile(join(staging, gone, "file"), "x");
    await utimes(join(staging, "artificer-staging-elsewhere-1-old"), weekAgo, weekAgo);
    await symlink(here.folder, join(staging, "artificer-staging-elsewhere-2-link"));
    const second = await openIn(here, { mode: "strict" });
    await second.run("1");
    const kept = await readdir(staging);
    expect(kept).toContain(name);
    expect(kept.filter((left) => !left.includes(`-${process.pid}-`)).sort()).toEqual([
      "artificer-staging-elsewhere-1-new",
      "artificer-staging-elsewhere-2-link",
      "unrelated",
    ]);
    expect(await readdir(here.folder)).toContain("my_project.py");
  });
});
