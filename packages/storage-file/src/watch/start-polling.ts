const shortestPauseMs = 1_000;
/** Looking may take this part of the time at most. */
const share = 1 / 20;

/** Looks at a version again and again, and tells when it is another. The more a look costs, the seldomer it is taken. @returns how it ends. */
export function startPolling(look: () => Promise<string>, changed: () => void): () => void {
  let stopped = false;
  let last: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const round = async () => {
    const begun = performance.now();
    try {
      const found = await look();
      if (!stopped && last !== undefined && found !== last) changed();
      last = found;
    } catch {
      // What can't be looked at now is told by the next call that needs it.
    }
    const pauseMs = Math.max(shortestPauseMs, (performance.now() - begun) / share);
    if (!stopped) timer = setTimeout(() => void round(), pauseMs).unref();
  };
  void round();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
