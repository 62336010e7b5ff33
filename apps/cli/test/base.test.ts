import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { artificer, temporaryFolder } from "./artificer-process.js";

const folder = temporaryFolder();
afterAll(folder.remove);
const run = (...args: string[]) => artificer(args, { cwd: folder.path });

describe("artificer init", () => {
  it("lays out a base with tools that can be called, and says what to do next [P1] [P2]", async () => {
    const { exitCode, stdout, stderr } = await run("init");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain("artificer run -c");
    for (const name of ["tools", "skills", "artifacts"])
      expect(existsSync(join(folder.path, ".artificer", name))).toBe(true);
    const tools = JSON.parse((await run("tools", "list", "--json")).stdout).tools;
    expect(tools.map(({ path }: { path: string }) => path)).toContain("curl.get");
  });

  it("leaves what is there as it is", async () => {
    const file = join(folder.path, ".artificer", "tools", "curl.yaml");
    const changed = `# mine\n${readFileSync(file, "utf8")}`;
    writeFileSync(file, changed);
    const { stdout } = await run("init", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ made: [], kept: expect.arrayContaining(["tools/curl.yaml"]) });
    expect(readFileSync(file, "utf8")).toBe(changed);
  });

  it("tells that a base can't be laid out where a file is", async () => {
    writeFileSync(join(folder.path, "a-file"), "");
    const { exitCode, stderr } = await run("init", "--base", "a-file");
    expect(exitCode).toBe(7);
    expect(stderr).toContain("a-file");
  });
});

describe("artificer tools", () => {
  it("shows how a tool is called, and calls it so from a cell [P3]", async () => {
    const { stdout } = await run("tools", "show", "curl.get");
    expect(stdout).toContain("tools.curl.get(");
    expect(JSON.parse((await run("tools", "show", "curl.get", "--json")).stdout).tool).toMatchObject({
      path: "curl.get",
    });
  });

  it("finds a tool by what it does", async () => {
    const { stdout } = await run("tools", "search", "download a web page", "--limit", "1", "--json");
    expect(JSON.parse(stdout).tools.map(({ path }: { path: string }) => path)).toEqual([
      expect.stringMatching(/^curl\./),
    ]);
  });

  it("names the nearest tool when there is none of that name", async () => {
    const { exitCode, stderr } = await run("tools", "show", "curl.gte");
    expect(exitCode).toBe(3);
    expect(stderr).toContain('Did you mean "get"?');
  });

  it("says which file and line of a tool's definition is broken, and goes on without it", async () => {
    writeFileSync(join(folder.path, ".artificer", "tools", "broken.yaml"), "name: broken\n  command: [\n");
    const { exitCode, stderr } = await run("tools", "list");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("broken.yaml");
  });
});

describe("artificer doctor", () => {
  it("finds all that is needed on a machine that can run cells, and warns of what is off", async () => {
    const { exitCode, stdout } = await run("doctor", "--json");
    const report = JSON.parse(stdout);
    expect(exitCode).toBe(0);
    expect(report.usable).toBe(true);
    const statuses = Object.fromEntries(
      report.checks.map(({ name, status }: Record<string, string>) => [name, status]),
    );
    expect(statuses).toMatchObject({ node: "ok", python: "ok", base: "ok", "executor subprocess": "ok" });
    expect(JSON.stringify(report.checks)).toContain("broken.yaml");
  });

  it("makes nothing where there is no base yet", async () => {
    const { exitCode, stdout } = await run("doctor", "--base", "nowhere");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("artificer init");
    expect(existsSync(join(folder.path, "nowhere"))).toBe(false);
  });

  it("exits with 7 and says how to mend it when Python is missing", async () => {
    const { exitCode, stdout } = await artificer(["doctor"], {
      cwd: folder.path,
      env: { PATH: folder.path, HOME: folder.path },
    });
    expect(exitCode).toBe(7);
    expect(stdout).toMatch(/FAIL {2}python/);
    expect(stdout).toContain("hint:");
  });

  it("exits with 7 when the base can't be written to", async () => {
    writeFileSync(join(folder.path, "blocked"), "");
    expect((await run("doctor", "--base", "blocked")).exitCode).toBe(7);
  });
});

describe("a base that can't be written to", () => {
  it("is told with a hint and no stack", async () => {
    const base = join(folder.path, "read-only");
    mkdirSync(base);
    chmodSync(base, 0o555);
    const { exitCode, stderr } = await run("run", "--base", "read-only", "-c", "1");
    chmodSync(base, 0o755);
    // Whoever may write anywhere, as root may, gets a base; everyone else a reason.
    if (process.getuid?.() === 0) expect(exitCode).toBe(0);
    else expect({ exitCode, stderr }).toEqual({ exitCode: 7, stderr: expect.stringContaining("read-only") });
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
