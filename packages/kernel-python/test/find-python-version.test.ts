import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findPythonVersion } from "../src/find-python-version.js";

const root = realpathSync(mkdtempSync(join(tmpdir(), "artificer-pythons-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A program that answers as an interpreter of that version does. */
function python(path: string, version: string): string {
  const answer = { path, version, prefixes: [join(path, "..", "..")], abi: "" };
  return program(path, `echo '${JSON.stringify(answer)}'`);
}

function program(path: string, script: string): string {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

let count = 0;
/** A machine that has nothing but what is put into it. */
function machine(name = `m${count++}`) {
  const home = join(root, name);
  const bin = join(home, "bin");
  mkdirSync(bin, { recursive: true });
  return { home, bin, hostEnv: { PATH: bin, HOME: home } };
}

describe("an interpreter of a version [P7]", () => {
  it("is found by its own name before others on the search path, and by any of them that is that version", async () => {
    const { bin, hostEnv } = machine();
    python(join(bin, "python3"), "3.11.4");
    const wanted = python(join(bin, "python3.12"), "3.12.1");
    expect(await findPythonVersion("3.12", { hostEnv })).toMatchObject({ path: wanted, version: "3.12.1" });
    expect(await findPythonVersion("3.11", { hostEnv })).toMatchObject({ version: "3.11.4" });
    expect(await findPythonVersion("3", { hostEnv })).toMatchObject({ version: "3.11.4" });
    expect(await findPythonVersion("3.12.1", { hostEnv })).toMatchObject({ path: wanted });
  });

  it("is found in the folders of version managers, the newest that fits", async () => {
    const { home, hostEnv } = machine();
    python(join(home, ".pyenv", "versions", "3.12.1", "bin", "python3.12"), "3.12.1");
    const newest = python(join(home, ".pyenv", "versions", "3.12.10", "bin", "python3.12"), "3.12.10");
    const uvs = join(home, ".local", "share", "uv", "python");
    const ofUv = python(join(uvs, "cpython-3.13.0-linux-x86_64-gnu", "bin", "python3.13"), "3.13.0");
    expect(await findPythonVersion("3.12", { hostEnv })).toMatchObject({ path: newest });
    expect(await findPythonVersion("3.12.1", { hostEnv })).toMatchObject({ version: "3.12.1" });
    expect(await findPythonVersion("3.13", { hostEnv })).toMatchObject({ path: ofUv });
    const moved = { PATH: "", HOME: root, PYENV_ROOT: join(home, ".pyenv") };
    expect(await findPythonVersion("3.12", { hostEnv: moved })).toMatchObject({ path: newest });
  });

  it("is found where uv knows one, which is asked to fetch none", async () => {
    const { home, bin, hostEnv } = machine();
    const known = python(join(home, "elsewhere", "bin", "python"), "3.10.2");
    program(
      join(bin, "uv"),
      `case "$*" in "python find --no-python-downloads"*" 3.10") echo ${known};; *) exit 2;; esac`,
    );
    expect(await findPythonVersion("3.10", { hostEnv })).toMatchObject({ path: known });
    await expect(findPythonVersion("3.14", { hostEnv })).rejects.toMatchObject({ code: "kernel/interpreter-missing" });
  });

  it("that is not there is told with all that are, and with those that did not answer", async () => {
    const { home, bin, hostEnv } = machine();
    python(join(bin, "python3"), "3.11.4");
    program(join(bin, "python3.12"), "echo not installed by the manager >&2; exit 127");
    python(join(home, ".pyenv", "versions", "3.9.1", "bin", "python3.9"), "3.9.1");
    await expect(findPythonVersion("3.12", { hostEnv })).rejects.toMatchObject({
      code: "kernel/interpreter-missing",
      message: expect.stringMatching(/no Python 3\.12 .*3\.11\.4 .*3\.9\.1/),
      details: {
        wanted: "3.12",
        found: [{ version: "3.11.4" }, { version: "3.9.1" }],
        problems: [expect.stringContaining("not installed by the manager")],
      },
      hint: expect.stringContaining("3.12"),
    });
    const none = machine().hostEnv;
    await expect(findPythonVersion("3.12", { hostEnv: none })).rejects.toMatchObject({
      message: expect.stringContaining("nor any other"),
    });
  });

  it("is not taken for another whose number begins alike", async () => {
    const { bin, hostEnv } = machine();
    python(join(bin, "python3"), "3.11.4");
    for (const wanted of ["3.1", "3.99"]) await expect(findPythonVersion(wanted, { hostEnv })).rejects.toThrow();
    await expect(findPythonVersion("3.11.40", { hostEnv })).rejects.toMatchObject({
      code: "kernel/interpreter-missing",
    });
  });

  it("is refused when it is too old for cells, or no version at all", async () => {
    for (const wanted of ["3.8", "2", "2.7.18"])
      await expect(findPythonVersion(wanted)).rejects.toMatchObject({ code: "kernel/interpreter-too-old" });
    for (const wanted of ["", "three", ">=3.9", "3.12; rm -rf /", "../python", "3.12.1.1"])
      await expect(findPythonVersion(wanted)).rejects.toMatchObject({ code: "config/invalid" });
  });

  it("stops being looked for when it is cancelled, with one that hangs", async () => {
    const { bin, hostEnv } = machine();
    program(join(bin, "python3.12"), "exec sleep 2");
    const controller = new AbortController();
    const looking = findPythonVersion("3.12", { hostEnv, signal: controller.signal });
    setImmediate(() => controller.abort(new Error("enough")));
    await expect(looking).rejects.toThrow("enough");
  });
});
