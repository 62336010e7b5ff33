import type { ToolCallContext } from "@artificer/protocol";
import { subscribeToAbort } from "./abort-subscription.js";

/** One call of a tool, its arguments checked, on its way to the toolkit. */
export interface HookedCall extends ToolCallContext {
  readonly toolkit: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * Stands around every tool call of a session, wherever in a cell it is made: looks on, refuses by throwing, answers from a cache, changes
 * the result. `next()` lets the call go on, to the hook behind it and in the end to the tool; a call whose hook never does so has not reached it.
 */
export type ToolHook = (call: HookedCall, next: () => Promise<unknown>) => Promise<unknown>;

/** Runs `tool` behind the hooks, the first of them outermost. A hook that waits for ever does not hold up a call that is withdrawn. */
export function runHooks(
  hooks: readonly ToolHook[],
  call: HookedCall,
  { tool, withdrawn }: { tool(): Promise<unknown>; withdrawn(reason: unknown): unknown },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const unsubscribe = subscribeToAbort(call.signal, (reason) => reject(withdrawn(reason)));
    const from = async (index: number): Promise<unknown> =>
      index === hooks.length ? tool() : hooks[index]!(call, () => from(index + 1));
    void from(0).then(resolve, reject).finally(unsubscribe);
  });
}
