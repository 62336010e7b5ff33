import { Worker } from "node:worker_threads";
import { ArtificerError } from "@artificer/protocol";
import { createCallGate } from "../cli/call-gate.js";
import type { ReadablePage } from "./html-to-markdown.js";
import type { HtmlTask } from "./html-worker.js";

/** Reads HTML in a thread of its own, so that no page can hold the host up. */
export interface HtmlReader {
  /** @throws ArtificerError `tool/timed-out`, `tool/failed` */
  read(html: string, url: URL, signal: AbortSignal): Promise<ReadablePage>;
  close(): Promise<void>;
}

/** The longest that one page may take to read, in milliseconds, the thread's own start included. */
const maxReadMs = 10_000;
const maxMemoryMb = 512;
/** The compiled file, seen from the sources too: a thread can't load TypeScript. */
const workerFile = new URL("../../dist/web/html-worker.js", import.meta.url);

/** A reader whose thread starts with the first page, and again after a page that it had to be ended for. */
export function createHtmlReader(): HtmlReader {
  // One page at a time, so that it is known whose fault it is when time runs out.
  const gate = createCallGate(1);
  let worker: Worker | undefined;
  let pages = 0;

  const readOne = (html: string, url: URL, signal: AbortSignal) =>
    new Promise<ReadablePage>((resolve, reject) => {
      worker ??= startWorker();
      const own = worker;
      const id = ++pages;
      const settle = (keep: boolean, finish: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
        own.off("message", hear).off("error", crash).off("exit", crash);
        own.unref();
        if (!keep) {
          worker = undefined;
          // Whatever it still has to say about its end is of no interest.
          own.on("error", () => {});
          void own.terminate();
        }
        finish();
      };
      const fail = (error: unknown) => settle(false, () => reject(error));
      const giveUp = () => fail(signal.reason);
      const crash = (cause: unknown) => fail(broken(cause));
      const hear = (answer: { id: number; page: ReadablePage }) => {
        if (answer.id === id) settle(true, () => resolve(answer.page));
      };
      const timer = setTimeout(() => fail(tooSlow()), maxReadMs);
      own.ref();
      own.on("message", hear).on("error", crash).on("exit", crash);
      if (signal.aborted) return giveUp();
      signal.addEventListener("abort", giveUp, { once: true });
      own.postMessage({ id, html, url: url.href } satisfies HtmlTask);
    });

  return {
    read: (html, url, signal) =>
      gate.pass(signal, () => (signal.aborted ? Promise.reject(signal.reason) : readOne(html, url, signal))),
    async close() {
      await worker?.terminate();
      worker = undefined;
    },
  };
}

function startWorker(): Worker {
  return new Worker(workerFile, {
    // No variable of the host is needed to read a page.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb, stackSizeMb: 4 },
  });
}

function tooSlow(): ArtificerError {
  return new ArtificerError("tool/timed-out", `its markup takes longer than ${maxReadMs / 1000} s to read`, {
    details: { maxReadMs },
  });
}

function broken(cause: unknown): ArtificerError {
  return new ArtificerError("tool/failed", "its markup can't be read: it is nested too deep, or too large", {
    cause: cause instanceof Error ? cause : undefined,
  });
}
