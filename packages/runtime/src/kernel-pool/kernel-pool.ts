import type { ArtificerError, Executor, KernelSpec } from "@artificer/protocol";

export interface KernelPoolOptions {
  /** Starts the kernels; closed with the pool. */
  executor: Executor;
  /** Spares kept for each command line and set of limits. Default 1. */
  size?: number;
  /** The host's environment, of which the spares get what any kernel may see. Default `process.env`. */
  hostEnv?: Readonly<Record<string, string | undefined>>;
  /** From a hand-over to the start of the next spare. Default 25. */
  refillDelayMs?: number;
  /** How long spares are kept that nobody asks for. Default half an hour. */
  spareTimeoutMs?: number;
}

/** What a pool has and has done. */
export interface KernelPoolStatus {
  /** Kernels that wait to be handed over. */
  spares: number;
  handedOver: number;
  /** Starts that found no spare. */
  startedCold: number;
  /** Why the last spare could not be started, when it could not. */
  problem: ArtificerError | undefined;
}

/** An executor with kernels in reserve. Several sessions may share one. */
export interface KernelPool extends Executor {
  prepare(spec: KernelSpec): void;
  readonly status: KernelPoolStatus;
}
