import { toArtificerError } from "@artificer/protocol";
import type { SessionProblem } from "../session/session-options.js";
import type { DepList } from "./dep-list.js";

export interface PrepareDepsOptions {
  /** Whether to install what is declared. */
  sync: boolean;
  signal?: AbortSignal | undefined;
  onProblem(problem: SessionProblem): void;
}

/** The folders that a starting kernel imports deps from. Deps that can't be installed are told and hold up no cell. */
export async function prepareDeps(deps: DepList, options: PrepareDepsOptions): Promise<string[]> {
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  try {
    // First read, so that locked deps are those from before the first cell.
    const paths = await deps.paths(signal);
    if (!options.sync) return paths;
    await deps.sync(signal);
    return await deps.paths(signal);
  } catch (thrown) {
    options.signal?.throwIfAborted();
    const { code, message, hint } = toArtificerError(thrown);
    options.onProblem({ code, message, ...(hint === undefined ? {} : { hint }) });
    return [];
  }
}
