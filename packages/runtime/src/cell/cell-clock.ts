/** Which budget ran out. */
export type ClockAlarm = "own" | "waiting";

/** What time is counted as; waiting for people has bounds of its own, elsewhere. */
type Spent = ClockAlarm | "held";

/**
 * A cell's clock. It stands still while the cell waits for tools; that waiting has a bound of its own. While it is held, for a person, nothing runs.
 * Pausing and resuming cost two subtractions: the timer is set again only when it rings.
 */
export class CellClock {
  readonly #budgetMs: Record<ClockAlarm, number>;
  readonly #onAlarm: (which: ClockAlarm) => void;
  readonly #spentMs: Record<Spent, number> = { own: 0, waiting: 0, held: 0 };
  #waiters = 0;
  #holders = 0;
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
    this.#turn();
    this.#waiters++;
  }

  /** A wait ends. */
  resume(): void {
    if (this.#waiters === 0) return;
    this.#turn();
    this.#waiters--;
  }

  /** A wait for a person begins; what is given back ends it. */
  hold(): () => void {
    this.#turn();
    this.#holders++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#turn();
      // What ran before runs on with a fresh look at its budget: it may have been the last that the timer knew of.
      if (--this.#holders === 0 && !this.#stopped) {
        clearTimeout(this.#timer);
        this.#arm();
      }
    };
  }

  /** Whether the cell waits for tools or people just now. */
  get waits(): boolean {
    return this.#waiters > 0;
  }

  /** Milliseconds waited for tools or people so far. */
  get waitingMs(): number {
    const now = this.#running !== "own" && !this.#stopped ? performance.now() - this.#since : 0;
    return this.#spentMs.waiting + this.#spentMs.held + now;
  }

  stop(): void {
    if (this.#stopped) return;
    this.#turn();
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  get #running(): Spent {
    return this.#holders > 0 ? "held" : this.#waiters > 0 ? "waiting" : "own";
  }

  #turn(): void {
    const now = performance.now();
    this.#spentMs[this.#running] += now - this.#since;
    this.#since = now;
  }

  #remainingMs(which: ClockAlarm): number {
    const running = this.#running === which ? performance.now() - this.#since : 0;
    return this.#budgetMs[which] - this.#spentMs[which] - running;
  }

  #arm(): void {
    // Neither budget can run out earlier than this, whichever runs from here on: early enough to look again.
    const delayMs = Math.min(this.#remainingMs("own"), this.#remainingMs("waiting"), 2 ** 31 - 1);
    this.#timer = setTimeout(() => this.#ring(), Math.max(1, Math.ceil(delayMs)));
  }

  #ring(): void {
    if (this.#stopped) return;
    const running = this.#running;
    // Nothing runs out while it is held: whoever lets go winds it up again.
    if (running === "held") return;
    if (this.#remainingMs(running) <= 0) this.#onAlarm(running);
    else this.#arm();
  }
}
