import type { Session } from "artificer";
import { percentile } from "../measure-row.js";

export interface ManySessionsOptions {
  /** How long all of them run cells, once each has its kernel. */
  seconds: number;
}

/** How evenly sessions got on beside each other. */
export interface ManySessionsReport {
  sessions: number;
  seconds: number;
  /** Cells that a session got done. */
  cells: { least: number; median: number; most: number };
  /** From asking for a cell to its outcome, over all cells, in milliseconds. */
  wait: { medianMs: number; p95Ms: number; longestMs: number };
  /** Kernels that were started beyond the one of each session: what eviction costs. */
  restarts: number;
}

const code = "sum(tools.bench.ping(n=k) for k in range(5)) + total";

/** Has all sessions run cells with tool calls at once, each one the next as soon as it has the last. Closes nothing. */
export async function runManySessions(
  sessions: readonly Session[],
  { seconds }: ManySessionsOptions,
): Promise<ManySessionsReport> {
  await Promise.all(sessions.map((session) => expectTotal(session, "total = 0\ntotal", 0)));
  const waits: number[] = [];
  const until = performance.now() + seconds * 1000;
  let restarts = 0;
  const counts = await Promise.all(
    sessions.map(async (session) => {
      let count = 0;
      let generation = 1;
      do {
        const from = performance.now();
        generation = await expectTotal(session, code, 10);
        waits.push(performance.now() - from);
        count++;
      } while (performance.now() < until);
      restarts += generation - 1;
      return count;
    }),
  );
  return {
    sessions: sessions.length,
    seconds,
    cells: { least: Math.min(...counts), median: percentile(counts, 50), most: Math.max(...counts) },
    wait: { medianMs: percentile(waits, 50), p95Ms: percentile(waits, 95), longestMs: percentile(waits, 100) },
    restarts,
  };
}

/** A cell that gave another value, or lost its variables, makes the figures worthless. */
async function expectTotal(session: Session, cell: string, total: number): Promise<number> {
  const outcome = await session.run(cell);
  if (outcome.status === "completed" && outcome.value === total) return outcome.generation;
  throw new Error(`a session among many gave a wrong answer: ${outcome.status} ${outcome.traceback ?? outcome.repr}`);
}
