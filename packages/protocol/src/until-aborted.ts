/**
 * Passes on what a source gives until `signal` fires, then throws the signal's own reason, untouched, even while the source hangs.
 * A source that is left early is told so by its `return`, which is not waited for.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T, void, void> {
  signal?.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
  // Without a race under way nobody listens to it, and an unheard rejection would end the process.
  aborted.catch(() => {});
  let finished = false;
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted]);
      signal?.throwIfAborted();
      finished = next.done === true;
      if (next.done) return;
      yield next.value;
      signal?.throwIfAborted();
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
    if (!finished) void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
