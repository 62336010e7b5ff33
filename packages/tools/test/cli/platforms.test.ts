import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { childEnvironment } from "../../src/cli/child-environment.js";
import { findProgram } from "../../src/cli/find-program.js";
import { serverEnvironment } from "../../src/mcp/server-environment.js";
import { shellRun } from "../../src/workspace/shell-run.js";
import { temporaryFolder } from "./fixture.js";

// Nothing of this runs on those machines: what differs there is decided by these, and this is what they decide.
describe("on Windows [X3-24]", () => {
  const platform = "win32";

  it("a program's environment has the host's Path however it is written, and what is set replaces it", () => {
    const host = { Path: "C:\\bin", SYSTEMROOT: "C:\\Windows", Secret_Key: "s", pathext: ".EXE" };
    expect(childEnvironment(host, { platform })).toEqual({
      Path: "C:\\bin",
      SYSTEMROOT: "C:\\Windows",
      pathext: ".EXE",
    });
    expect(childEnvironment(host, { platform, env: { PATH: "D:\\own" }, passEnv: ["secret_key"] })).toEqual({
      PATH: "D:\\own",
      SYSTEMROOT: "C:\\Windows",
      pathext: ".EXE",
      Secret_Key: "s",
    });
  });

  it("a program is found by its name without .exe or .com, and never as a .cmd or .bat, which a shell would read", async () => {
    const folder = await temporaryFolder();
    for (const name of ["tool.exe", "old.com", "script.cmd", "batch.bat"])
      await writeFile(join(folder, name), "", { mode: 0o755 });
    const where = { path: folder, folder, platform } as const;
    expect(findProgram("tool", where)).toBe(join(folder, "tool.exe"));
    expect(findProgram("old", where)).toBe(join(folder, "old.com"));
    expect(findProgram("./tool", where)).toBe(join(folder, "tool.exe"));
    for (const name of ["script", "batch"]) expect(findProgram(name, where)).toBeUndefined();
    expect(findProgram("tool", { ...where, platform: "linux" })).toBeUndefined();
  });

  it("an MCP server has what programs need there, by names of any case", () => {
    const host = { Path: "p", SystemRoot: "r", windir: "w", HOME: "h", API_KEY: "k" };
    expect(serverEnvironment(host, platform)).toEqual({ Path: "p", SystemRoot: "r", windir: "w" });
  });

  it("a command line is the command processor's, or that of a shell which is named", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "pwsh.exe"), "", { mode: 0o755 });
    const where = { path: folder, folder, platform } as const;
    const run = shellRun("dir", undefined, where);
    expect(run.args).toEqual(["/d", "/s", "/c", "dir"]);
    expect(run.file).toBe(process.env.ComSpec ?? "cmd.exe");
    expect(shellRun("ls", "pwsh", where).file).toBe(join(folder, "pwsh.exe"));
  });
});

describe.each(["linux", "darwin"] as const)("on %s [X3-23]", (platform) => {
  it("names of variables are what they are written as", () => {
    const host = { Path: "odd", PATH: "/bin", LC_ALL: "C", SYSTEMROOT: "x", HOME: "/home/x" };
    expect(childEnvironment(host, { platform, env: { path: "own" } })).toEqual({
      PATH: "/bin",
      LC_ALL: "C",
      HOME: "/home/x",
      path: "own",
    });
    expect(serverEnvironment(host, platform)).toEqual({ PATH: "/bin", LC_ALL: "C", HOME: "/home/x" });
  });

  it("a program is the file of its name, and a command line the shell's", async () => {
    const folder = await temporaryFolder();
    for (const name of ["tool", "tool.exe", "bash"]) await writeFile(join(folder, name), "", { mode: 0o755 });
    const where = { path: folder, folder, platform };
    expect(findProgram("tool", where)).toBe(join(folder, "tool"));
    expect(shellRun("ls", undefined, where)).toEqual({ file: join(folder, "bash"), args: ["-c", "exec 2>&1\nls"] });
  });
});
