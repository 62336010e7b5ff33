type Listener = (reason: unknown) => void;

/**
 * Tells that a kernel takes a request back, or is gone. An AbortSignal with a listener costs more than all else about a tool
 * call, so that one is made for those alone who ask for it.
 */
export class Withdrawal {
  #withdrawn = false;
  #reason: unknown;
  #controller: AbortController | undefined;
  #listeners: Set<Listener> | undefined;

  get withdrawn(): boolean {
    return this.#withdrawn;
  }

  /** The same as a signal, for what works with these. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#withdrawn) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Calls back once when it is withdrawn; returns how to stop listening. It must not have been withdrawn yet. */
  subscribe(listener: Listener): () => void {
    this.#listeners ??= new Set();
    const listeners = this.#listeners;
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  /** The first reason stays. */
  withdraw(reason: unknown): void {
    if (this.#withdrawn) return;
    this.#withdrawn = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#listeners ?? []) listener(reason);
    this.#listeners?.clear();
  }
}
