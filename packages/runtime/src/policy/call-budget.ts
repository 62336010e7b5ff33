import { ArtificerError } from "@artificer/protocol";
import type { CallBudget } from "./policy-options.js";

/** What has been used of a budget. */
export interface BudgetCounter {
  /** @throws ArtificerError `budget/calls`, `budget/seconds`, `budget/bytes` when nothing is left. */
  check(tool: string): void;
  take(): void;
  /** Milliseconds left; infinite without a bound. */
  readonly leftMs: number;
  readonly leftBytes: number;
  spend(used: { ms?: number; bytes?: number }): void;
  secondsOut(tool: string): ArtificerError;
  bytesOut(tool: string): ArtificerError;
}

type BudgetCode = "budget/calls" | "budget/seconds" | "budget/bytes";

/** Counts one budget; `whose` says whose it is in messages. */
export function createBudgetCounter({ calls, seconds, bytes }: CallBudget, whose: "cell" | "session"): BudgetCounter {
  let called = 0;
  let spentMs = 0;
  let spentBytes = 0;
  const out = (code: BudgetCode, tool: string, text: string, limit: number) =>
    new ArtificerError(code, `${tool} was not given: this ${whose} has used up its ${text}.`, {
      details: { tool, scope: whose, limit },
      hint: `Do with less, or let the host raise policy.budgets.${whose}.${code.slice("budget/".length)}.`,
    });
  const secondsOut = (tool: string) => out("budget/seconds", tool, `${seconds} seconds of tools' time`, seconds ?? 0);
  const bytesOut = (tool: string) => out("budget/bytes", tool, `${bytes} bytes of results`, bytes ?? 0);
  return {
    check(tool) {
      if (calls !== undefined && called >= calls) throw out("budget/calls", tool, `${calls} calls`, calls);
      if (seconds !== undefined && spentMs >= seconds * 1000) throw secondsOut(tool);
      if (bytes !== undefined && spentBytes >= bytes) throw bytesOut(tool);
    },
    take() {
      called++;
    },
    get leftMs() {
      return seconds === undefined ? Number.POSITIVE_INFINITY : Math.max(0, seconds * 1000 - spentMs);
    },
    get leftBytes() {
      return bytes === undefined ? Number.POSITIVE_INFINITY : Math.max(0, bytes - spentBytes);
    },
    spend(used) {
      spentMs += used.ms ?? 0;
      spentBytes += used.bytes ?? 0;
    },
    secondsOut,
    bytesOut,
  };
}
