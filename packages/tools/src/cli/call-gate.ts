/** Lets a number of calls through at once; the others wait in order. */
export interface CallGate {
  /** Runs `work` when it is its turn, or at once when the signal has fired: work that sees its signal ends by itself. */
  pass<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export function createCallGate(places: number): CallGate {
  let free = places;
  const waiting = new Set<() => void>();
  const leave = () => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  };

  /** Whether a place was taken: not when the signal fired first. */
  function enter(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (free > 0) {
      free -= 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const answer = (taken: boolean) => {
        waiting.delete(turn);
        signal.removeEventListener("abort", giveUp);
        resolve(taken);
      };
      const turn = () => answer(true);
      const giveUp = () => answer(false);
      waiting.add(turn);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  return {
    async pass(signal, work) {
      const taken = await enter(signal);
      try {
        return await work();
      } finally {
        if (taken) leave();
      }
    },
  };
}
