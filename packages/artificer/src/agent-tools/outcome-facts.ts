import type { Outcome } from "@artificer/runtime";

/** What an answer says of the kernel that ran the code. */
export interface KernelFacts {
  /** Counts the kernels of the session, from 1. */
  generation: number;
  /** The number of this run in the session. */
  cell: number;
  /** Earlier runs ran in it, and what they left is there. */
  reused: boolean;
  /** Variables of earlier runs are gone: it is a fresh kernel in place of an earlier one, and nothing was restored. */
  state_reset: boolean;
  /** It ended with this run; the next one starts another. */
  ended: boolean;
}

/** What an answer says of one stream, in bytes. */
export interface OutputFacts {
  truncated: boolean;
  bytes_kept: number;
  bytes_total: number;
  bytes_omitted: number;
  /** The artifact that keeps the whole, when it was cut and could be kept. */
  artifact?: string;
}

/** Nothing for code that never reached a kernel. */
export function kernelFacts({ generation, cell, state, status }: Outcome): { kernel?: KernelFacts } {
  if (generation === 0 || status === "refused") return {};
  const { start } = state;
  const kernel = {
    generation,
    cell,
    reused: start === undefined,
    state_reset: start === "fresh" && generation > 1,
    ended: state.variables === "lost",
  };
  return { kernel };
}

export function outputFacts(outcome: Outcome, stream: "stdout" | "stderr"): OutputFacts {
  const cut = outcome.truncated.find(({ what }) => what === stream);
  const kept = cut?.keptBytes ?? Buffer.byteLength(outcome[stream]);
  const total = cut?.totalBytes ?? kept;
  return {
    truncated: cut !== undefined,
    bytes_kept: kept,
    bytes_total: total,
    bytes_omitted: total - kept,
    ...(cut?.artifact === undefined ? {} : { artifact: cut.artifact }),
  };
}
