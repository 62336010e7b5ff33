/** Which budget ran out. */
export type ClockAlarm = "own" | "waiting";

/**
 * A cell's clock. It stands still while the cell waits for tools or people; that waiting has a bound of its own.
 * Pausing and resuming cost two subtractions: the timer is set again only when it rings.
 */
export class CellClock {
  readonly #budgetMs: Record<ClockAlarm, number>;
  readonly #onAlarm: (which: ClockAlarm) => void;
  readonly #spentMs: Record<ClockAlarm, number> = { own: 0, waiting: 0 };
  #waiters = 0;
  #since = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(budgetMs: Record<ClockAlarm, number>, onAlarm: (which: ClockAlarm) => void) {
    this.#budgetMs = budgetMs;
    this.#onAlarm = onAlarm;
    this.#arm();
  }

  /** A wait begins; waits may overlap. */
  pause(): void {
    if (this.#waiters++ === 0) this.#turn("own");
  }

  /** A wait ends. */
  resume(): void {
    if (this.#waiters > 0 && --this.#waiters === 0) this.#turn("waiting");
  }

  /** Whether the cell waits for tools or people just now. */
  get waits(): boolean {
    return this.#waiters > 0;
  }

  /** Milliseconds waited for tools or people so far. */
  get waitingMs(): number {
    return this.#spentMs.waiting + (this.#waiters > 0 && !this.#stopped ? performance.now() - this.#since : 0);
  }

  stop(): void {
    if (this.#stopped) return;
    this.#turn(this.#waiters > 0 ? "waiting" : "own");
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #turn(ending: ClockAlarm): void {
    const now = performance.now();
    this.#spentMs[ending] += now - this.#since;
    this.#since = now;
  }

  #remainingMs(which: ClockAlarm): number {
    return this.#budgetMs[which] - this.#spentMs[which] - (performance.now() - this.#since);
  }

  #arm(): void {
    const running: ClockAlarm = this.#waiters > 0 ? "waiting" : "own";
    const other: ClockAlarm = running === "own" ? "waiting" : "own";
    const otherMs = this.#budgetMs[other] - this.#spentMs[other];
    // The other budget can't run out before it runs at all, so the nearer of the two is early enough to look again.
    const delayMs = Math.min(this.#remainingMs(running), Math.max(otherMs, 1), 2 ** 31 - 1);
    this.#timer = setTimeout(() => this.#ring(), Math.max(1, Math.ceil(delayMs)));
  }

  #ring(): void {
    if (this.#stopped) return;
    const running: ClockAlarm = this.#waiters > 0 ? "waiting" : "own";
    if (this.#remainingMs(running) <= 0) this.#onAlarm(running);
    else this.#arm();
  }
}
