import { randomBytes } from "node:crypto";
import { createKernelResidents } from "@artificer/runtime";
import type { SessionOptions } from "artificer";
import { openBenchSession } from "../open-bench-session.js";
import type { Figure, Report } from "../report.js";
import { type ManySessionsReport, runManySessions } from "../soak/many-sessions.js";

const sessions = 50;
const seconds = 20;
/** Of the median: a session that gets less is starved. */
const fairShare = 0.5;

/** 50 sessions at once in one process, each with a kernel of its own: the cap on kernels is raised for them. */
export const soakManySessions: Report = {
  name: "soak: 50 sessions at once",
  onRequest: true,
  async measure(bench) {
    const report = await measure(bench, () => ({ limits: { maxSessionKernels: sessions } }));
    const { restarts } = report;
    return [
      ...figures(report),
      { what: "kernels started anew", value: String(restarts), budget: "none", kept: restarts === 0 },
    ];
  },
};

/** The same with the cap as it comes, four kernels: who waits is never ended for good, its variables come back. */
export const soakManySessionsCapped: Report = {
  name: "soak: 50 sessions at once, at most 4 idle kernels",
  onRequest: true,
  async measure(bench) {
    const report = await measure(bench, () => ({ snapshot: true, snapshotKey: randomBytes(32) }));
    return [...figures(report), { what: "kernels ended and restored", value: String(report.restarts) }];
  },
};

async function measure(bench: { python: string }, options: () => SessionOptions): Promise<ManySessionsReport> {
  const residents = createKernelResidents();
  const opened = Array.from({ length: sessions }, () => openBenchSession(bench, { residents, ...options() }));
  try {
    return await runManySessions(opened, { seconds });
  } finally {
    await Promise.all(opened.map((session) => session.close()));
  }
}

function figures({ cells, wait, ...report }: ManySessionsReport): Figure[] {
  return [
    { what: "sessions, seconds", value: `${report.sessions}, ${report.seconds}` },
    {
      what: "cells of a session",
      value: `least ${cells.least}, median ${cells.median}, most ${cells.most}`,
      budget: "least over half the median",
      kept: cells.least >= cells.median * fairShare,
    },
    {
      what: "wait for an outcome",
      value: `median ${wait.medianMs.toFixed(1)} ms, p95 ${wait.p95Ms.toFixed(1)} ms, longest ${wait.longestMs.toFixed(0)} ms`,
    },
  ];
}
