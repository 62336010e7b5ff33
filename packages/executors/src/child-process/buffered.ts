/** Keeps what arrives until a reader is set, then passes everything on in order. */
export function buffered<Args extends unknown[]>() {
  let reader: ((...args: Args) => void) | undefined;
  let waiting: Args[] = [];
  return {
    push(...args: Args) {
      if (reader === undefined) waiting.push(args);
      else reader(...args);
    },
    get reader() {
      return reader;
    },
    set reader(next) {
      reader = next;
      if (next === undefined) return;
      const kept = waiting;
      waiting = [];
      for (const args of kept) next(...args);
    },
  };
}
