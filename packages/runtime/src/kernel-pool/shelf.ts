import { type ArtificerError, type KernelChannel, toArtificerError } from "@artificer/protocol";

export interface ShelfOptions {
  size: number;
  refillDelayMs: number;
  spareTimeoutMs: number;
  start(): Promise<KernelChannel>;
  /** Nobody has asked for long: its spares are gone and it may be forgotten. */
  onEmptied(): void;
}

/** The spares of one kind. Timers and spares never hold up the host's end. */
export interface Shelf {
  readonly count: number;
  readonly problem: ArtificerError | undefined;
  /** The spare that has waited longest; others are started for those taken. */
  take(): KernelChannel | undefined;
  fill(): void;
  close(): Promise<void>;
}

export function createShelf({ size, refillDelayMs, spareTimeoutMs, start, onEmptied }: ShelfOptions): Shelf {
  const spares: KernelChannel[] = [];
  let starting = 0;
  let closed = false;
  let problem: ArtificerError | undefined;
  let refill: NodeJS.Timeout | undefined;
  let forget: NodeJS.Timeout | undefined;
  const underWay = new Set<Promise<void>>();

  function fill(): void {
    used();
    for (; !closed && spares.length + starting < size; starting++) {
      const started = add().finally(() => underWay.delete(started));
      underWay.add(started);
    }
  }

  async function add(): Promise<void> {
    try {
      const spare = await start();
      starting--;
      if (closed) return await spare.kill();
      problem = undefined;
      spare.ref?.(false);
      spares.push(spare);
      // One that died is not replaced before somebody asks: what kills them may kill the next one as well.
      void spare.exited.then(() => remove(spare));
    } catch (thrown) {
      starting--;
      problem = toArtificerError(thrown, "kernel/start-failed");
    }
  }

  function remove(spare: KernelChannel): void {
    const at = spares.indexOf(spare);
    if (at !== -1) spares.splice(at, 1);
  }

  function used(): void {
    clearTimeout(forget);
    if (closed) return;
    forget = setTimeout(() => {
      void close();
      onEmptied();
    }, spareTimeoutMs).unref();
  }

  async function close(): Promise<void> {
    closed = true;
    clearTimeout(refill);
    clearTimeout(forget);
    await Promise.all(
      spares.splice(0).map((spare) => {
        // Its end is waited for now.
        spare.ref?.(true);
        return spare.kill();
      }),
    );
    await Promise.all(underWay);
  }

  return {
    get count() {
      return spares.length;
    },
    get problem() {
      return problem;
    },
    take() {
      const spare = spares.shift();
      refill ??= setTimeout(() => {
        refill = undefined;
        fill();
      }, refillDelayMs).unref();
      used();
      return spare;
    },
    fill,
    close,
  };
}
