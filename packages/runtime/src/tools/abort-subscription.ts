type Callback = (reason: unknown) => void;

/*
 * A thousand calls of one cell share one signal. Removing a listener from an AbortSignal searches all of them, and each more
 * than ten draws a warning; one listener with a set behind it does neither.
 */
const subscribers = new WeakMap<AbortSignal, Set<Callback>>();

/** Calls back once when the signal fires; returns how to stop listening. The signal must not have fired yet. */
export function subscribeToAbort(signal: AbortSignal, callback: Callback): () => void {
  const callbacks = subscribers.get(signal) ?? listen(signal);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
  };
}

function listen(signal: AbortSignal): Set<Callback> {
  const callbacks = new Set<Callback>();
  subscribers.set(signal, callbacks);
  signal.addEventListener(
    "abort",
    () => {
      for (const callback of callbacks) callback(signal.reason);
      callbacks.clear();
    },
    { once: true },
  );
  return callbacks;
}
