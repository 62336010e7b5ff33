import { createKernelResidents } from "@artificer/runtime";
import { openBenchSession } from "../open-bench-session.js";
import type { Report } from "../report.js";
import { type ManySessionsReport, runManySessions } from "../soak/many-sessions.js";

const sessions = 50;
const seconds = 20;
/** Of the median: a session that gets less is starved. */
const fairShare = 0.5;

/** 50 sessions at once in one process, each with a kernel of its own. */
export const soakManySessions: Report = {
  name: "soak: 50 sessions at once",
  onRequest: true,
  async measure(bench) {
    // The cap on kernels is the process's; these fifty are meant to be alive together.
    const room = { residents: createKernelResidents(), limits: { maxSessionKernels: sessions } };
    const opened = Array.from({ length: sessions }, () => openBenchSession(bench, room));
    try {
      return figures(await runManySessions(opened, { seconds }));
    } finally {
      await Promise.all(opened.map((session) => session.close()));
    }
  },
};

function figures({ cells, wait, ...report }: ManySessionsReport) {
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
    { what: "kernels started anew", value: String(report.restarts), budget: "none", kept: report.restarts === 0 },
  ];
}
