import { setMaxListeners } from "node:events";

/** What a client tells of its line. */
interface Line {
  readonly isReady: boolean;
  on(event: "reconnecting" | "ready", heard: () => void): unknown;
}

/** Bounds how long calls wait to be sent. */
export interface WaitingLimit {
  /** Options for a command that is given to the client now; the client's own time-out counts where they leave it. */
  options(): { timeout?: undefined; abortSignal?: AbortSignal };
  end(): void;
}

/**
 * The client's time-out is a timer for each command, which is a third of what a small one costs. While the line is up a command is
 * sent in the same turn and needs none; those that a loss of the line caught before they were sent share one, from the loss on.
 */
export function createWaitingLimit(line: Line, waitMs: number): WaitingLimit {
  let timer: NodeJS.Timeout | undefined;
  let caught = freshController();
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  line.on("reconnecting", () => {
    timer ??= setTimeout(() => {
      caught.abort();
      caught = freshController();
    }, waitMs).unref();
  });
  line.on("ready", stop);
  return {
    options: () => (line.isReady ? { timeout: undefined, abortSignal: caught.signal } : {}),
    end: stop,
  };
}

function freshController(): AbortController {
  const controller = new AbortController();
  // As many as there may be calls.
  setMaxListeners(0, controller.signal);
  return controller;
}
