/** Why a call was ended before its program had. */
export type CallEnding = "timed-out" | "cancelled";

/** The life of one call: it is over when its time is up, its caller withdraws, or its toolkit closes, whichever is first. */
export interface CallScope {
  /** Fires when the call is over before its program. */
  readonly signal: AbortSignal;
  /** The first cause; undefined while the call goes on. */
  readonly ending: CallEnding | undefined;
  cancel(): void;
  /** Stops the clock; to be called however the call ended. */
  release(): void;
}

export function openCallScope(caller: AbortSignal, timeoutMs: number): CallScope {
  const controller = new AbortController();
  let ending: CallEnding | undefined;
  const end = (cause: CallEnding) => {
    if (ending !== undefined) return;
    ending = cause;
    controller.abort();
  };
  const cancel = () => end("cancelled");
  const timer = setTimeout(() => end("timed-out"), timeoutMs);
  if (caller.aborted) cancel();
  else caller.addEventListener("abort", cancel, { once: true });
  return {
    signal: controller.signal,
    get ending() {
      return ending;
    },
    cancel,
    release() {
      clearTimeout(timer);
      caller.removeEventListener("abort", cancel);
    },
  };
}
