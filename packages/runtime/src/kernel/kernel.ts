import { randomBytes } from "node:crypto";
import {
  ArtificerError,
  type Bindings,
  type Executor,
  type KernelChannel,
  type KernelExit,
  type KernelSpec,
  type KernelStartParams,
  type KernelStartResult,
  kernelStartResult,
  type Language,
  type StreamName,
  toArtificerError,
  type Value,
  wireVersion,
} from "@artificer/protocol";
import { HeadTail } from "../cell/head-tail.js";
import { describeExit, lastWords } from "./describe-exit.js";
import { KernelConnection, type KernelRequest } from "./kernel-connection.js";

const maxSaidBytes = 2000;

/** What a kernel is started with. */
export interface KernelOptions {
  executor: Executor;
  spec: KernelSpec;
  session: string;
  generation: number;
  bindings: Bindings;
  /** More for `kernel.start`. */
  settings?: Pick<KernelStartParams, "engine" | "allowShell" | "paths">;
  limits: {
    maxValueBytes: number;
    maxInlineBytes?: number;
    maxReprChars: number;
    maxDisplayBytes: number;
    maxDisplays: number;
  };
  /** Whether it will be asked for snapshots. */
  snapshots?: boolean;
  /** A folder that goes with the session, should the host die. */
  staging?: string;
  /** Bound on the time from spawn to the first answer, in milliseconds. */
  startTimeoutMs: number;
  onRequest(request: KernelRequest): Promise<unknown>;
  onNotice(name: string, params: Value, cell: number | undefined): void;
  onOutput(stream: StreamName, chunk: Uint8Array): void;
}

/** How a kernel ended, and the error that tells of it. */
export interface KernelEnd {
  exit: KernelExit;
  error: ArtificerError;
}

/** The host's view of one kernel process: started, then asked, then ended for whatever reason comes first. */
export class Kernel {
  readonly language: Language;
  readonly generation: number;
  /** Settles when the process is gone; never rejects. */
  readonly ended: Promise<KernelEnd>;
  readonly #channel: KernelChannel;
  readonly #connection: KernelConnection;
  #endReason: ArtificerError | undefined;
  #alive = true;
  #waits = 0;
  #idleSince = performance.now();
  #info: KernelStartResult | undefined;
  readonly #memoryBytes: number | undefined;
  /** What it wrote before it had started: often why it can't. */
  readonly #said = new HeadTail(maxSaidBytes);

  private constructor(channel: KernelChannel, key: string, options: KernelOptions) {
    this.language = options.spec.program.language;
    this.generation = options.generation;
    this.#channel = channel;
    this.#memoryBytes = options.spec.limits.memoryBytes;
    this.#connection = new KernelConnection(channel, key, {
      onRequest: (request) => options.onRequest(request),
      onNotice: (name, params, cell) => options.onNotice(name, params, cell),
      onViolation: (error) => void this.kill(error),
    });
    channel.onOutput = (stream, chunk) => {
      if (this.#info === undefined) this.#said.push(chunk);
      options.onOutput(stream, chunk);
    };
    this.ended = channel.exited.then((exit) => this.#finish(exit));
  }

  /** @throws ArtificerError `kernel/start-failed`, `kernel/start-timed-out`, or the executor's own. */
  static async start(options: KernelOptions, { signal }: { signal?: AbortSignal } = {}): Promise<Kernel> {
    for (;;) {
      const channel = await options.executor.start(options.spec, { signal });
      const key = randomBytes(12).toString("hex");
      const kernel = new Kernel(channel, key, options);
      try {
        kernel.#info = await kernel.#handshake(key, options, signal);
        return kernel;
      } catch (thrown) {
        const died = !kernel.alive;
        await kernel.kill(toArtificerError(thrown, "kernel/start-failed"));
        // A kernel of the pool may have died while it waited: no fault of this start, which goes on to the next.
        if (!died || channel.handOver === undefined) throw thrown;
      }
    }
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Since when nothing has been under way, on the monotonic clock; undefined while something is. */
  get idleSince(): number | undefined {
    return this.#waits === 0 && !this.#connection.serving ? this.#idleSince : undefined;
  }

  get info(): KernelStartResult {
    return this.#info!;
  }

  /** Asks the kernel; `id` withdraws the request through `cancel`. */
  request(method: string, params: unknown): { id: number; reply: Promise<Value> } {
    const { id, reply } = this.#connection.request(method, params);
    this.#hold(reply);
    return { id, reply };
  }

  cancel(id: number, reason: string): void {
    this.#connection.cancel(id, reason);
  }

  /** Aborts what the host is doing for the kernel: tools under way, mostly. */
  abortServing(reason: ArtificerError): void {
    this.#connection.abortServing(reason);
  }

  /** Ends the process and its group; the first reason is the one that is told. Resolves when it is gone. */
  async kill(reason: ArtificerError): Promise<KernelEnd> {
    this.#endReason ??= reason;
    this.#alive = false;
    this.#hold(this.ended);
    await this.#channel.kill();
    return this.ended;
  }

  /** An idle kernel does not hold up the end of the host's process; one that is being waited for does. */
  #hold(waitedFor: Promise<unknown>): void {
    if (this.#waits++ === 0) this.#channel.ref?.(true);
    const release = () => {
      this.#idleSince = performance.now();
      if (--this.#waits === 0) this.#channel.ref?.(false);
    };
    waitedFor.then(release, release);
  }

  async #handshake(key: string, options: KernelOptions, signal: AbortSignal | undefined): Promise<KernelStartResult> {
    const { reply } = this.request("kernel.start", {
      wire: wireVersion,
      key,
      session: options.session,
      generation: options.generation,
      bindings: options.bindings,
      limits: options.limits,
      ...options.settings,
      resources: options.spec.limits,
      ...(options.snapshots ? { snapshots: true } : {}),
      ...(options.staging === undefined ? {} : { staging: options.staging }),
      ...this.#channel.handOver,
    });
    let release = () => {};
    const late = new Promise<never>((_, reject) => {
      const onAbort = () => reject(signal?.reason);
      const timer = setTimeout(
        () => reject(startTimedOut(options.startTimeoutMs, this.#lastWords())),
        options.startTimeoutMs,
      );
      signal?.addEventListener("abort", onAbort, { once: true });
      // The signal may be that of a whole session, which starts many kernels.
      release = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
    });
    late.catch(() => {});
    try {
      return kernelStartResult.parse(await Promise.race([reply, late]));
    } finally {
      release();
    }
  }

  #lastWords(): string {
    const { head, tail } = this.#said.parts();
    return Buffer.concat([head, tail]).toString().trim();
  }

  #finish(exit: KernelExit): KernelEnd {
    this.#alive = false;
    const said = this.#info === undefined ? this.#lastWords() : undefined;
    const error = this.#endReason ?? describeExit(exit, this.language, { said, memoryBytes: this.#memoryBytes });
    this.#endReason = error;
    this.#connection.end(error);
    return { exit, error };
  }
}

function startTimedOut(startTimeoutMs: number, said: string): ArtificerError {
  return new ArtificerError(
    "kernel/start-timed-out",
    `The kernel did not answer within ${startTimeoutMs} ms of its start${lastWords(said)}.`,
    {
      details: { startTimeoutMs, ...(said === "" ? {} : { output: said }) },
      hint: "The machine may be overloaded; raise startTimeoutMs, or run `artificer doctor`.",
    },
  );
}
