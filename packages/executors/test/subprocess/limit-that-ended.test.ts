import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bindsProcesses } from "../../src/child-process/binds-processes.js";
import { limitThatEnded } from "../../src/child-process/limit-that-ended.js";
import { oomKills } from "../../src/child-process/oom-kills.js";

describe("which limit ended a process", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "artificer-limits-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is told by its signal, if that limit was set", () => {
    expect(limitThatEnded("SIGXCPU", { cpuSeconds: 1 }, false)).toEqual({ limit: "cpu" });
    expect(limitThatEnded("SIGXCPU", {}, false)).toEqual({});
    expect(limitThatEnded("SIGXFSZ", { fileBytes: 1 }, false)).toEqual({ limit: "file-size" });
    expect(limitThatEnded("SIGXFSZ", {}, false)).toEqual({});
    expect(limitThatEnded(null, { cpuSeconds: 1, fileBytes: 1 }, false)).toEqual({});
  });

  it("is memory when the system counted an end for want of memory meanwhile, and this was a kill", () => {
    expect(limitThatEnded("SIGKILL", {}, true)).toEqual({ limit: "memory" });
    expect(limitThatEnded("SIGKILL", {}, false)).toEqual({});
    expect(limitThatEnded("SIGSEGV", {}, true)).toEqual({});
  });

  it("reads the system's count, and does without where there is none", async () => {
    const file = join(folder, "vmstat");
    await writeFile(file, "nr_free_pages 5\noom_kill 17\noom_kill_other 3\n");
    expect(oomKills(file)).toBe(17);
    await writeFile(file, "nr_free_pages 5\n");
    expect(oomKills(file)).toBeUndefined();
    expect(oomKills(join(folder, "absent"))).toBeUndefined();
  });

  it("can't be processes for a privileged user, whom the system does not count", async () => {
    const status = async (capabilities: string) => {
      const file = join(folder, "status");
      await writeFile(file, `Name:\tnode\nCapEff:\t${capabilities}\n`);
      return bindsProcesses(file);
    };
    const ordinary = process.getuid?.() !== 0;
    expect(await status("0000000000000000")).toBe(ordinary);
    expect(await status("0000000001000000")).toBe(false);
    expect(await status("0000000000200000")).toBe(false);
    expect(bindsProcesses(join(folder, "absent"))).toBe(ordinary);
  });
});
