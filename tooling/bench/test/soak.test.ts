import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPythonKernel, openFileStorage } from "artificer";
import { describe, expect, it } from "vitest";
import { openBenchSession } from "../src/open-bench-session.js";
import { residentBytes } from "../src/process-memory.js";
import { renderFigures } from "../src/render-table.js";
import { startFolderGauge } from "../src/soak/folder-gauge.js";
import { runManySessions } from "../src/soak/many-sessions.js";
import { soakOneSession } from "../src/soak/one-session.js";
import { callsPerCell, ipythonSoak, typescriptSoak } from "../src/soak/soak-cells.js";
import { trendOf } from "../src/soak/trend.js";

const bench = { python: (await createPythonKernel().findInterpreter()).path };

describe("a trend", () => {
  it("compares the first tenth with the last, and fits a line through all", () => {
    const rising = Array.from({ length: 20 }, (_, index) => ({ at: index, value: 100 + 2 * index }));
    expect(trendOf(rising)).toEqual({ first: 101, last: 137, slope: 2, growth: 137 / 101 - 1 });
    const flat = rising.map(({ at }) => ({ at, value: 7 }));
    expect(trendOf(flat)).toEqual({ first: 7, last: 7, slope: 0, growth: 0 });
    expect(() => trendOf(rising.slice(0, 9))).toThrow(RangeError);
  });
});

describe("the soak, with small numbers", () => {
  it("runs every kind of cell, counts its calls, and tells what it found of the host, the kernel and the folder", async () => {
    const folder = await mkdtemp(join(tmpdir(), "artificer-soak-"));
    const storage = await openFileStorage(folder);
    const session = openBenchSession(bench, { storage });
    try {
      const report = await soakOneSession(session, { cells: 40, folder });
      expect(report).toMatchObject({ cells: 40, toolCalls: 40 * callsPerCell });
      for (const trend of [report.hostHeap, report.hostResident, report.kernelResident, report.stored])
        expect(trend?.last).toBeGreaterThan(0);
    } finally {
      await session.close();
      await storage.close();
      await rm(folder, { recursive: true });
    }
  });

  it("runs every kind of cell of TypeScript, and of IPython where it is installed", async (context) => {
    const session = openBenchSession(bench);
    const shell = openBenchSession(bench, { engine: "ipython" });
    try {
      const typescript = await soakOneSession(session, { cells: 20, soak: typescriptSoak });
      expect(typescript).toMatchObject({ cells: 20, toolCalls: 20 * callsPerCell });
      expect(typescript.stored).toBeUndefined();
      const first = await shell.run("1");
      context.skip(first.status === "refused", `the half about IPython: ${first.error?.message}`);
      const ipython = await soakOneSession(shell, { cells: 20, soak: ipythonSoak });
      expect(ipython).toMatchObject({ cells: 20, toolCalls: 20 * callsPerCell });
    } finally {
      await session.close();
      await shell.close();
    }
  });

  it("tells the size of all files in a folder, deep ones too, as often as it is asked", async () => {
    const folder = await mkdtemp(join(tmpdir(), "artificer-soak-"));
    const gauge = startFolderGauge(folder);
    try {
      expect(await gauge.bytes()).toBe(0);
      await mkdir(join(folder, "a", "b"), { recursive: true });
      await writeFile(join(folder, "a", "b", "c"), "12345");
      await writeFile(join(folder, "d"), "123");
      expect(await gauge.bytes()).toBe(8);
      await rm(join(folder, "d"));
      expect(await gauge.bytes()).toBe(5);
    } finally {
      await gauge.stop();
      await rm(folder, { recursive: true });
    }
  });

  it("gives no figures for a session whose cells go wrong", async () => {
    const session = openBenchSession(bench, { tools: [] });
    try {
      await expect(soakOneSession(session, { cells: 10 })).rejects.toThrow("cell 0 of the soak went wrong: failed");
    } finally {
      await session.close();
    }
  });

  it("runs sessions side by side until the time is up, each at least once", async () => {
    const sessions = [0, 1, 2].map(() => openBenchSession(bench));
    try {
      const report = await runManySessions(sessions, { seconds: 0.2 });
      expect(report).toMatchObject({ sessions: 3, restarts: 0 });
      expect(report.cells.least).toBeGreaterThan(0);
      expect(report.cells.most).toBeGreaterThanOrEqual(report.cells.median);
      expect(report.wait.p95Ms).toBeGreaterThanOrEqual(report.wait.medianMs);
    } finally {
      await Promise.all(sessions.map((session) => session.close()));
    }
  });

  it("shows its figures with what was kept and what was not", () => {
    const figures = [
      { what: "a", value: "1", budget: "under 2", kept: true },
      { what: "b", value: "3", budget: "under 2", kept: false },
      { what: "c", value: "5" },
    ];
    const lines = renderFigures("soak", figures).split("\n");
    expect(lines.map((line) => line.split("|").at(-2)?.trim())).toEqual(["kept", "------", "yes", "NO", ""]);
  });
});

it("tells the resident memory of a process, and of none that is gone", async () => {
  expect(await residentBytes(process.pid)).toBeGreaterThan(1_000_000);
  await expect(residentBytes(2 ** 30)).rejects.toThrow();
});
