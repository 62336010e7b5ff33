import { ArtificerError } from "@artificer/protocol";

/** What a call that its caller gave up throws: the caller's own reason when it is one of ours. */
export function cancelled(signal: AbortSignal, where: string): ArtificerError {
  if (ArtificerError.is(signal.reason)) return signal.reason;
  if (signal.reason instanceof DOMException && signal.reason.name === "TimeoutError")
    return new ArtificerError("tool/timed-out", `${where} did not answer in time.`, { cause: signal.reason });
  return new ArtificerError("tool/cancelled", `${where} was cancelled.`, { cause: signal.reason });
}

/** Waits no longer than the caller does. What is waited for goes on for others. */
export async function orCancelled<T>(promise: Promise<T>, signal: AbortSignal, where: string): Promise<T> {
  if (signal.aborted) throw cancelled(signal, where);
  let stop = () => {};
  const gaveUp = new Promise<never>((_, reject) => {
    const onAbort = () => reject(cancelled(signal, where));
    signal.addEventListener("abort", onAbort, { once: true });
    stop = () => signal.removeEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([promise, gaveUp]);
  } finally {
    stop();
  }
}
