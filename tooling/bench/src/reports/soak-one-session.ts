import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CellEngine, openFileStorage } from "artificer";
import { openBenchSession } from "../open-bench-session.js";
import { type Figure, mebibytes, type Report } from "../report.js";
import { type OneSessionReport, soakOneSession } from "../soak/one-session.js";
import { ipythonSoak, type SoakLanguage, typescriptSoak } from "../soak/soak-cells.js";
import type { Trend } from "../soak/trend.js";

const cells = 10_000;
/** From the first tenth to the last, as a share of the first, that still is flat. What an allocator holds back goes up and down by more. */
const flatGrowth = 0.05;

/** 10,000 cells and 100,000 tool calls in one session, kept in files. */
export const soakInFiles: Report = {
  name: "soak: one session, kept in files",
  onRequest: true,
  async measure(bench, onProgress) {
    const folder = await mkdtemp(join(tmpdir(), "artificer-soak-"));
    const storage = await openFileStorage(folder);
    const session = openBenchSession(bench, { storage, snapshot: true, snapshotKey: new Uint8Array(32).fill(7) });
    try {
      return figures(await soakOneSession(session, { cells, folder, onProgress: told(onProgress, cells) }));
    } finally {
      await session.close();
      await storage.close();
      await rm(folder, { recursive: true });
    }
  },
};

/** The same in a session as `new Session()` makes it: in memory. */
export const soakInMemory = soakOf("soak: one session, kept in memory", { count: cells });

/** Cells of TypeScript; a Node process gives memory back later than Python does. */
export const soakTypescript = soakOf("soak: one session of TypeScript", {
  count: 4_000,
  soak: typescriptSoak,
  kernelGrowth: 0.1,
});

/** With IPython around each cell, where the interpreter has it. It keeps a history, which grows by its nature. */
export const soakIpython = soakOf("soak: one session with IPython", {
  count: 2_000,
  soak: ipythonSoak,
  engine: "ipython",
  kernelGrowth: 0.1,
});

interface SoakOptions {
  count: number;
  soak?: SoakLanguage;
  engine?: CellEngine;
  /** From the first tenth to the last, that still is flat for the kernel. */
  kernelGrowth?: number;
}

function soakOf(name: string, { count, soak, engine, kernelGrowth }: SoakOptions): Report {
  return {
    name,
    onRequest: true,
    async measure(bench, onProgress) {
      const session = openBenchSession(bench, { engine });
      try {
        const first = await session.run("1", { language: soak?.language });
        if (first.status === "refused")
          return [{ what: "not measured here", value: first.error?.message ?? first.status }];
        const report = await soakOneSession(session, { cells: count, soak, onProgress: told(onProgress, count) });
        return figures(report, kernelGrowth);
      } finally {
        await session.close();
      }
    },
  };
}

function told(onProgress: (text: string) => void, count: number): (done: number) => void {
  return (done) => {
    if (done % (count / 10) === 0) onProgress(`${done.toLocaleString("en")} cells`);
  };
}

function figures(report: OneSessionReport, kernelGrowth = flatGrowth): Figure[] {
  const { toolCalls, seconds, stored } = report;
  return [
    { what: "cells", value: report.cells.toLocaleString("en") },
    {
      what: "tool calls",
      value: toolCalls.toLocaleString("en"),
      budget: "10 a cell",
      kept: toolCalls >= report.cells * 10,
    },
    { what: "seconds", value: seconds.toFixed(1) },
    memory("host, objects referred to", report.hostHeap),
    memory("host, resident", report.hostResident, 0.1),
    memory("kernel, resident", report.kernelResident, kernelGrowth),
    ...(stored === undefined ? [] : [{ what: "stored", value: trend(stored) }]),
  ];
}

function memory(what: string, found: Trend, allowed = flatGrowth): Figure {
  const budget = `flat: at most ${allowed * 100} % more`;
  return { what, value: trend(found), budget, kept: found.growth <= allowed };
}

function trend({ first, last, slope, growth }: Trend): string {
  const percent = `${growth < 0 ? "" : "+"}${(growth * 100).toFixed(1)} %`;
  return `first tenth ${mebibytes(first)}, last ${mebibytes(last)} (${percent}), ${Math.round(slope)} bytes a cell`;
}
