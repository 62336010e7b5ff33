import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isRunning } from "@artificer/testkit/services";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createVenv, type VenvSettings } from "../../src/venv/create-venv.js";
import { type LocalPackages, openLocalPackages } from "../deps/local-packages.js";
import { useTempFolder } from "../session/temp-folder.js";
import { askPython, standInUv } from "./stand-in-uv.js";

const temp = useTempFolder();
let packages: LocalPackages;

beforeAll(async () => {
  packages = await openLocalPackages();
  packages.makeWheel("local_one", "1.0");
  packages.makeWheel("local_two", "1.0", { requires: "local_one" });
});
afterAll(() => packages.close());

async function open(options: Partial<VenvSettings> = {}, making?: string) {
  const place = await temp();
  const folder = options.folder ?? join(place, "venv");
  const uv = standInUv(place, packages.python, making);
  const args = ["--no-index", "--find-links", packages.wheels];
  const settings: VenvSettings = { interpreter: packages.python, args, hostEnv: uv.hostEnv, ...options, folder };
  return { folder, uv, settings, venv: createVenv(settings) };
}

/** What is there besides locks. */
const left = async (folder: string) => (await readdir(folder)).filter((name) => !name.endsWith(".lock"));

/** Resolves once a file is there, with what it holds. */
async function written(path: string): Promise<string> {
  for (;;) {
    const text = await readFile(path, "utf8").catch(() => "");
    if (text.endsWith("\n")) return text.trim();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("a virtual environment [P7]", () => {
  it("is made by the interpreter's own venv and pip where there is no uv, holds its packages and nothing else", async () => {
    const { folder, venv } = await open({ packages: ["local_two"], hostEnv: { ...process.env, PATH: "" } });
    const { path, prefixes } = await venv.open();
    expect(path.startsWith(folder)).toBe(true);
    expect(prefixes).toContain(dirname(dirname(path)));
    expect(askPython(path, "__import__('local_one').version")).toBe("1.0");
    const others = "[d.metadata['Name'] for d in __import__('importlib.metadata').metadata.distributions()]";
    const names = new Set(askPython(path, others).match(/[\w-]+/g));
    for (const name of ["local_one", "local_two", "pip", "setuptools"]) names.delete(name);
    expect([...names]).toEqual([]);
    expect(askPython(path, "__import__('pip').__file__")).toContain(folder);
  });

  it("is found again, whatever the order of its packages, and is another one for others", async () => {
    const { uv, venv, settings } = await open({ packages: ["local_one", "local_two"] });
    const first = await venv.open();
    expect((await venv.locate()).made).toBe(true);
    expect(await createVenv({ ...settings, packages: ["local_two", "local_one"] }).open()).toEqual(first);
    expect(uv.calls()).toHaveLength(2);
    expect((await createVenv({ ...settings, packages: ["local_one"] }).open()).path).not.toBe(first.path);
    expect(uv.calls()).toHaveLength(4);
  });

  it("is made once when several ask at once", async () => {
    const { uv, settings } = await open({ packages: ["local_one"] });
    const found = await Promise.all([1, 2, 3].map(() => createVenv(settings).open()));
    expect(new Set(found.map(({ path }) => path)).size).toBe(1);
    expect(uv.calls().filter((call) => call.startsWith("venv"))).toHaveLength(1);
  });

  it("is made anew from where a killed process has left it, and from the killed one's lock", async () => {
    const { settings } = await open({ packages: ["local_one"] });
    const { environment } = await createVenv(settings).locate();
    await mkdir(join(environment, "bin"), { recursive: true });
    await writeFile(join(environment, "bin", "python"), "half", { mode: 0o755 });
    await writeFile(join(environment, "rest"), "");
    await writeFile(`${environment}.lock`, "");
    const { path } = await createVenv(settings).open();
    expect(askPython(path, "__import__('local_one').version")).toBe("1.0");
    expect(await readdir(environment)).not.toContain("rest");
  });

  it("is not made by two when the one that makes it is killed and what it started runs on", async () => {
    const place = await temp();
    // The maker is killed; the program that it started writes on for a while.
    const dies = `mkdir -p "$4"; if [ ! -e ${place}/died ]; then touch ${place}/died; kill -9 $PPID; sleep 1; echo > "$4/late"; exit 1; fi; exec ${packages.python} -m venv --without-pip "$4"`;
    const { settings } = await open({ packages: ["local_one"] }, dies);
    await expect(createVenv(settings).open()).rejects.toMatchObject({ code: "kernel/environment-failed" });
    const { path } = await createVenv(settings).open();
    expect(askPython(path, "__import__('local_one').version")).toBe("1.0");
    expect(await readdir(dirname(dirname(path)))).not.toContain("late");
  });

  it("leaves nothing when it is stopped half-way, by signal, by close or by its time limit", async () => {
    const place = await temp();
    const hangs = `mkdir -p "$4"; echo > "$4/half"; echo $$ > ${place}/pid; exec sleep 1000`;
    const stopped = async (run: (venv: ReturnType<typeof createVenv>) => Promise<unknown>, timeoutMs?: number) => {
      await rm(join(place, "pid"), { force: true });
      const { folder, venv } = await open({ timeoutMs }, hangs);
      const thrown: unknown = await run(venv).catch((error: unknown) => error);
      expect(await left(folder)).toEqual([]);
      const pid = Number(await written(join(place, "pid")));
      expect(isRunning(pid)).toBe(false);
      return thrown;
    };
    const controller = new AbortController();
    const bySignal = await stopped((venv) => {
      void written(join(place, "pid")).then(() => controller.abort(new Error("enough")));
      return venv.open({ signal: controller.signal });
    });
    expect(bySignal).toMatchObject({ message: "enough" });
    const byClose = await stopped((venv) => {
      void written(join(place, "pid")).then(() => venv.close());
      return venv.open();
    });
    expect(byClose).toMatchObject({ code: "session/closed" });
    const byTime = await stopped((venv) => venv.open(), 2_000);
    expect(byTime).toMatchObject({ code: "kernel/environment-failed", message: expect.stringContaining("within 2 s") });
  });

  it("is made good when its interpreter is broken or gone", async () => {
    const { settings } = await open({ packages: ["local_one"] });
    const { path } = await createVenv(settings).open();
    for (const breaking of [() => rm(path), () => breakProgram(path)]) {
      await breaking();
      const mended = await createVenv(settings).open();
      expect(mended.path).toBe(path);
      expect(askPython(path, "__import__('local_one').version")).toBe("1.0");
    }
  });

  it("is made anew where its folder has been moved to, so that nothing in it names the old place", async () => {
    const { folder, settings } = await open({ packages: ["local_one"] });
    const old = await createVenv(settings).open();
    const moved = `${folder}-moved`;
    await rename(folder, moved);
    const { path } = await createVenv({ ...settings, folder: moved }).open();
    expect(path.startsWith(moved)).toBe(true);
    expect(path).not.toBe(old.path);
    expect(askPython(path, "__import__('local_one').__file__")).toContain(moved);
    // By another name it is the same place.
    await symlink(moved, folder);
    expect((await createVenv(settings).open()).path).toBe(path);
  });

  it("tells a package that can't be built by the end of what its builder said, and leaves nothing", async () => {
    const source = await temp();
    await writeFile(
      join(source, "pyproject.toml"),
      '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n[project]\nname = "unbuildable"\nversion = "1"\n',
    );
    await writeFile(join(source, "backend.py"), 'raise SystemExit("the compiler exploded at line 7")\n');
    const spec = `unbuildable @ ${pathToFileURL(source)}`;
    const { folder, venv } = await open({ packages: ["local_one", spec] });
    await expect(venv.open()).rejects.toMatchObject({
      code: "dep/install-failed",
      message: expect.stringContaining("unbuildable"),
      hint: expect.stringContaining("the compiler exploded at line 7"),
    });
    expect(await left(folder)).toEqual([]);
  });

  it("tells an environment that can't be made by what its maker said", async () => {
    const { folder, venv } = await open({}, "echo error: no room for snakes; exit 3");
    await expect(venv.open()).rejects.toMatchObject({
      code: "kernel/environment-failed",
      message: expect.stringContaining("no room for snakes"),
      details: { folder: expect.stringContaining(folder) },
    });
    expect(await left(folder)).toEqual([]);
  });

  it("refuses what is no requirement, options of pip among it, and an interpreter of another version", async () => {
    for (const spec of ["not a requirement !", "--index-url http://localhost", "-r other.txt", "a\nb"])
      await expect(open({ packages: [spec] })).rejects.toMatchObject({ code: "dep/invalid" });
    const { venv } = await open({ python: "3.99" });
    await expect(venv.open()).rejects.toMatchObject({
      code: "kernel/interpreter-missing",
      message: expect.stringContaining("not 3.99"),
    });
    const place = await temp();
    await breakProgram(join(place, "python3"));
    const broken = await open({ interpreter: join(place, "python3") });
    await expect(broken.venv.open()).rejects.toMatchObject({ code: "kernel/interpreter-missing" });
  });

  it("is removed when nobody has used it for a month and another one is made", async () => {
    const { folder, settings } = await open();
    const old = await createVenv(settings).locate();
    await createVenv(settings).open();
    const longAgo = new Date(Date.now() - 31 * 24 * 3_600_000);
    await utimes(`${old.environment}.lock`, longAgo, longAgo);
    const { path } = await createVenv({ ...settings, packages: ["local_one"] }).open();
    expect(await left(folder)).toEqual([dirname(dirname(path)).slice(folder.length + 1)]);
  });

  it("is one for each interpreter", async () => {
    const { settings } = await open();
    const copy = join(await temp(), "base");
    execFileSync(packages.python, ["-m", "venv", "--without-pip", "--copies", copy]);
    const one = await createVenv(settings).open();
    const other = await createVenv({ ...settings, interpreter: join(copy, "bin", "python") }).open();
    expect(other.path).not.toBe(one.path);
  });
});

async function breakProgram(path: string): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
}
