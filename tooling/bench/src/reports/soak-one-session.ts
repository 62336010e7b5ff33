import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFileStorage } from "artificer";
import { openBenchSession } from "../open-bench-session.js";
import { type Figure, mebibytes, type Report } from "../report.js";
import { type OneSessionReport, soakOneSession } from "../soak/one-session.js";
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
      return figures(await soakOneSession(session, { cells, folder, onProgress: told(onProgress) }));
    } finally {
      await session.close();
      await storage.close();
      await rm(folder, { recursive: true });
    }
  },
};

/** The same in a session as `new Session()` makes it: in memory. */
export const soakInMemory: Report = {
  name: "soak: one session, kept in memory",
  onRequest: true,
  async measure(bench, onProgress) {
    const session = openBenchSession(bench);
    try {
      return figures(await soakOneSession(session, { cells, onProgress: told(onProgress) }));
    } finally {
      await session.close();
    }
  },
};

function told(onProgress: (text: string) => void): (done: number) => void {
  return (done) => {
    if (done % (cells / 10) === 0) onProgress(`${done.toLocaleString("en")} cells`);
  };
}

function figures(report: OneSessionReport): Figure[] {
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
    memory("kernel, resident", report.kernelResident),
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
