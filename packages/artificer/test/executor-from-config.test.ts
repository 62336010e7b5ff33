import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseConfig } from "../src/config/parse-config.js";
import { diagnose } from "../src/doctor/index.js";
import { executorFromConfig } from "../src/executor/executor-from-config.js";
import { Session } from "../src/session/session.js";

describe("the executor that a configuration names", () => {
  let project: string;
  let base: string;
  beforeAll(() => {
    project = realpathSync(mkdtempSync(join(tmpdir(), "artificer-executor-")));
    base = join(project, ".artificer");
    mkdirSync(base);
    writeFileSync(join(project, "data.txt"), "for cells");
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  const configure = (text: string) => writeFileSync(join(base, "config.yaml"), text);
  const sandbox =
    "executor: sandbox\nembeddings:\n  engine: none\nsandbox:\n  workspace:\n    path: ..\n    mode: rw\n  tmp: 8MiB\n";

  it("is made of its section, whose paths are relative to the base folder", () => {
    const config = parseConfig(sandbox, "c");
    expect(config.sandbox).toEqual({ workspace: { path: "..", mode: "rw" }, network: "none", tmp: 8 * 2 ** 20 });
    expect(executorFromConfig("sandbox", config, { base })).toMatchObject({ kind: "sandbox" });
    expect(executorFromConfig("container", config, { base }).capabilities).toMatchObject({ isolation: "container" });
    expect(executorFromConfig("subprocess", config, { base }).capabilities).toMatchObject({ network: "host" });
  });

  it("has no keys but those that are known, down to the innermost", () => {
    expect(() => parseConfig("sandbox:\n  workspace:\n    path: .\n    moed: rw\n", "c")).toThrow(
      expect.objectContaining({ code: "config/unknown-key", hint: expect.stringContaining("Did you mean mode?") }),
    );
    expect(() => parseConfig("executor: sandbx\n", "c")).toThrow(
      expect.objectContaining({ code: "config/invalid", message: expect.stringContaining("subprocess") }),
    );
  });

  it("runs cells in the workspace without the base, or says why this machine can't; it is never another one instead", async () => {
    configure(sandbox);
    await using session = await Session.fromBase(base, { cwd: project });
    const outcome = await session.run(
      'import os\n(open("data.txt").read(), os.listdir(".artificer"), os.listdir(".artificer/.state"), os.getuid())',
    );
    const { usable } = await executorFromConfig("sandbox", parseConfig(sandbox, "c"), { base }).probe();
    if (usable) expect(outcome.value).toEqual(["for cells", [".state"], ["python"], 1000]);
    else expect(outcome).toMatchObject({ status: "refused", error: { code: "executor/unavailable" } });
  });

  it("runs no interpreter on the host that a cell can have put into its workspace", async () => {
    configure(sandbox);
    const trap = join(project, ".venv", "bin");
    mkdirSync(trap, { recursive: true });
    writeFileSync(join(trap, "python"), `#!/bin/sh\ntouch ${join(project, "sprung")}\n`, { mode: 0o755 });
    await using session = await Session.fromBase(base, { cwd: project });
    await session.run("1");
    expect(existsSync(join(project, "sprung"))).toBe(false);
    rmSync(join(project, ".venv"), { recursive: true });
  });

  it("gives way to the one that the caller names", async () => {
    configure(sandbox);
    await using session = await Session.fromBase(base, { cwd: project, executor: "subprocess" });
    expect(await session.run('import os\nos.path.exists(".artificer/config.yaml")')).toMatchObject({ value: true });
  });

  it("runs TypeScript within the host when it names inprocess, and says so in the session and to the doctor [P7]", async () => {
    configure("executor: inprocess\nembeddings:\n  engine: none\n");
    await using session = await Session.fromBase(base);
    const told = { code: "executor/no-isolation", message: expect.stringContaining("inprocess") };
    expect(session.problems.filter(({ code }) => code.startsWith("executor/"))).toMatchObject([told]);
    expect(await session.run("process.pid", { language: "typescript" })).toMatchObject({ value: process.pid });
    expect(await session.run("1 + 1")).toMatchObject({ status: "refused", error: { code: "executor/unsupported" } });
    const { usable, checks } = await diagnose({ base });
    expect(usable).toBe(true);
    expect(checks.find(({ name }) => name === "executor inprocess")).toMatchObject({
      status: "warn",
      detail: expect.stringContaining("isolation: none"),
      hint: expect.stringContaining("trust"),
    });
  });

  it("is never inprocess unless somebody names it: neither by default, nor where another one can't be used", async () => {
    configure("embeddings:\n  engine: none\n");
    await using session = await Session.fromBase(base);
    expect(session.problems.map(({ code }) => code)).not.toContain("executor/no-isolation");
    expect((await session.run("process.pid", { language: "typescript" })).value).not.toBe(process.pid);
    configure("executor: container\ncontainer:\n  engine: no-such-engine\nembeddings:\n  engine: none\n");
    await using other = await Session.fromBase(base);
    expect(await other.run("1", { language: "typescript" })).toMatchObject({
      status: "refused",
      error: { code: "executor/unavailable" },
    });
    const { checks } = await diagnose({ base });
    expect(checks.find(({ name }) => name === "executor inprocess")).toMatchObject({ status: "ok" });
  });

  it("is the one that has to be usable for the doctor, who tells of all", async () => {
    configure("executor: container\ncontainer:\n  engine: no-such-engine\nembeddings:\n  engine: none\n");
    const { usable, checks } = await diagnose({ base });
    expect(usable).toBe(false);
    const status = Object.fromEntries(checks.map((check) => [check.name, check]));
    expect(status["executor container"]).toMatchObject({
      status: "fail",
      detail: expect.stringContaining("no-such-engine"),
    });
    expect(status["executor subprocess"]).toMatchObject({ status: "ok" });
    expect(status["executor sandbox"]?.status).toMatch(/^(ok|warn)$/);
  });
});
