/**
 * Passes on what a source gives until `signal` fires, then throws the signal's own reason, untouched, even while the source hangs.
 * A source that is left early is told so by its `return`, which is not waited for.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T, void, void> {
  signal?.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  // Not Promise.race with one promise for the signal: that would keep every item until the signal goes.
  let giveUp: (reason: unknown) => void = () => {};
  const onAbort = () => giveUp(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  let finished = false;
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        giveUp = reject;
        iterator.next().then(resolve, reject);
      });
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
