import { chmod, mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPipInstaller, type PipInstallerOptions } from "../../src/deps/create-pip-installer.js";
import { useTempFolder } from "../session/temp-folder.js";
import { type LocalPackages, openLocalPackages } from "./local-packages.js";

const temp = useTempFolder();
let packages: LocalPackages;

beforeAll(async () => {
  packages = await openLocalPackages();
  packages.makeWheel("local_one", "1.0");
  packages.makeWheel("local_one", "2.0");
  packages.makeWheel("local_four", "1.0");
  packages.makeWheel("local_two", "1.0", { requires: "local_one>=2" });
});
afterAll(() => packages.close());

async function open(options: Partial<PipInstallerOptions> = {}) {
  const folder = join(await temp(), "python");
  // Without a search path no uv is found, whatever this machine has.
  const hostEnv = { ...process.env, PATH: "" };
  const args = ["--no-index", "--find-links", packages.wheels];
  const installer = createPipInstaller({ folder, interpreter: async () => packages.python, args, hostEnv, ...options });
  return { folder, installer };
}

describe("an installer by pip [P6]", () => {
  it("installs a set with all it needs into a folder of its own, below version and ABI, and finds it again", async () => {
    const { folder, installer } = await open();
    expect(await installer.find(["local_two"])).toBeUndefined();
    const { paths, installed } = await installer.install(["local_two"]);
    expect(installed).toEqual(["local_two"]);
    const [abi] = await readdir(folder);
    expect(abi).toMatch(/^3\.\d+\.\d+-/);
    expect(paths[0]).toContain(join(folder, abi!));
    expect(await readFile(join(paths[0]!, "local_one.py"), "utf8")).toContain("2.0");
    expect(await installer.find(["local_two"])).toEqual(paths);
    expect(await installer.install(["local_two"])).toEqual({ paths, installed: [] });
  });

  it("keeps sets apart, so a running kernel's packages never change under it", async () => {
    const { installer } = await open();
    const old = await installer.install(["local_one==1.0"]);
    const both = await installer.install(["local_one==2.0", "local_two"]);
    expect(both.paths).not.toEqual(old.paths);
    expect(await readFile(join(old.paths[0]!, "local_one.py"), "utf8")).toContain("1.0");
    expect((await installer.install(["local_two", "local_one==2.0"])).installed).toEqual([]);
  });

  it("tells a failure with the installer's last words, and leaves nothing behind", async () => {
    const { folder, installer } = await open();
    await expect(installer.install(["no_such_package_here"])).rejects.toMatchObject({
      code: "dep/install-failed",
      message: expect.stringContaining("no_such_package_here"),
      hint: expect.stringContaining("No matching distribution"),
    });
    const [abi] = await readdir(folder);
    expect((await readdir(join(folder, abi!))).filter((name) => !name.endsWith(".lock"))).toEqual([]);
  });

  it("installs once when several ask at once, in one process or in several", async () => {
    const { folder, installer } = await open();
    const other = createPipInstaller({
      folder,
      interpreter: async () => packages.python,
      args: ["--no-index", "--find-links", packages.wheels],
      hostEnv: { ...process.env, PATH: "" },
    });
    const all = await Promise.all([installer, other, installer].map((one) => one.install(["local_one"])));
    expect(new Set(all.flatMap(({ paths }) => paths)).size).toBe(1);
    expect(await readFile(join(all[0]!.paths[0]!, "local_one.py"), "utf8")).toContain("2.0");
  });

  it("stops with all it has started when it is cancelled, and can be asked again", async () => {
    const folder = await temp();
    const started = join(folder, "started");
    const slow = join(folder, "bin");
    await mkdir(slow);
    await writeFile(join(slow, "uv"), `#!/bin/sh\necho $$ > ${started}\nexec sleep 1000\n`);
    await chmod(join(slow, "uv"), 0o755);
    const { installer } = await open({ folder, hostEnv: { ...process.env, PATH: `${slow}:/usr/bin:/bin` } });
    const controller = new AbortController();
    const running = installer.install(["local_one"], { signal: controller.signal });
    let pid = 0;
    while (pid === 0) pid = Number(await readFile(started, "utf8").catch(() => "0"));
    controller.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    expect(await installer.find(["local_one"])).toBeUndefined();
    const { installer: again } = await open({ folder });
    expect((await again.install(["local_one"])).installed).toEqual(["local_one"]);
  });

  it("uses uv where it is on the search path", async () => {
    const folder = await temp();
    const bin = join(folder, "bin");
    await mkdir(bin);
    // Stands in for uv: notes how it was called and lets pip do it.
    await writeFile(
      join(bin, "uv"),
      `#!/bin/sh\necho "$@" > ${folder}/called\nshift 5\nexec ${packages.python} -m pip install --no-input "$@"\n`,
    );
    await chmod(join(bin, "uv"), 0o755);
    const { installer } = await open({ hostEnv: { ...process.env, PATH: `${bin}:/usr/bin:/bin` } });
    await installer.install(["local_one"]);
    expect(await readFile(join(folder, "called"), "utf8")).toContain(
      `pip install --python ${packages.python} --no-progress`,
    );
  });

  it("says how to mend it where there is neither uv nor pip", async () => {
    const { installer } = await open({ interpreter: async () => packages.bare });
    await expect(installer.install(["local_one"])).rejects.toMatchObject({
      code: "dep/install-failed",
      message: expect.stringContaining("has no pip"),
      hint: expect.stringContaining("ensurepip"),
    });
  });

  it("installs a rebuilt file anew", async () => {
    const { installer } = await open();
    const folder = await temp();
    packages.makeWheel("local_one", "1.0", { folder });
    const spec = `local_one @ ${pathToFileURL(join(folder, "local_one-1.0-py3-none-any.whl"))}`;
    const first = await installer.install([spec]);
    packages.makeWheel("local_one", "1.0", { folder, requires: "local_four" });
    expect(await installer.find([spec])).toBeUndefined();
    const second = await installer.install([spec]);
    expect(second.paths).not.toEqual(first.paths);
    expect(await readdir(second.paths[0]!)).toContain("local_four.py");
  });

  it("removes sets that nobody has used for a month, when another is installed", async () => {
    const { installer } = await open();
    const old = await installer.install(["local_one==1.0"]);
    const used = await installer.install(["local_four"]);
    const longAgo = new Date(Date.now() - 31 * 24 * 3_600_000);
    for (const { paths } of [old, used]) await utimes(`${paths[0]!}.lock`, longAgo, longAgo);
    await installer.find(["local_four"]);
    const latest = await installer.install(["local_one"]);
    expect(await installer.find(["local_one==1.0"])).toBeUndefined();
    expect(await installer.find(["local_four"])).toEqual(used.paths);
    expect(await installer.find(["local_one"])).toEqual(latest.paths);
  });

  it("does not show the host's secrets to what it installs", async () => {
    const folder = await temp();
    await writeFile(join(folder, "uv"), `#!/bin/sh\nenv > ${folder}/env\nexit 1\n`);
    await chmod(join(folder, "uv"), 0o755);
    const hostEnv = { ...process.env, PATH: `${folder}:/usr/bin:/bin`, SUITE_API_KEY: "s3cret", UV_OFFLINE: "1" };
    const { installer } = await open({ hostEnv });
    await expect(installer.install(["local_one"])).rejects.toMatchObject({ code: "dep/install-failed" });
    const env = await readFile(join(folder, "env"), "utf8");
    expect(env).not.toContain("s3cret");
    expect(env).toContain("UV_OFFLINE=1");
  });
});
