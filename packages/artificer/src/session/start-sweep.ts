import { type Storage, toArtificerError } from "@artificer/protocol";
import { type SessionProblem, sweepKeptOutputs } from "@artificer/runtime";
import type { Base } from "./open-base.js";

const dayMs = 86_400_000;

/** Sweeps a base's kept outputs while its session is used; closing it stops what is still to be swept. */
export function startSweep(
  storage: Storage,
  { config, writable }: Base,
  { onProblem }: { onProblem(problem: SessionProblem): void },
): { close(): Promise<void> } {
  if (!writable) return { close: async () => {} };
  const stop = new AbortController();
  const { max_age: days, max_total: maxTotalBytes } = config.outputs;
  const limits = { maxAgeMs: days * dayMs, maxTotalBytes };
  const sweeping = sweepKeptOutputs(storage, limits, { signal: stop.signal }).catch((thrown: unknown) => {
    if (stop.signal.aborted) return;
    const { code, message, hint } = toArtificerError(thrown, "storage/unavailable");
    onProblem({ code, message: `Old outputs can't be swept: ${message}`, ...(hint === undefined ? {} : { hint }) });
  });
  return {
    async close() {
      stop.abort();
      await sweeping;
    },
  };
}
