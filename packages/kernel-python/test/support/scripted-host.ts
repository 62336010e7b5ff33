import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex, Readable } from "node:stream";
import {
  ArtificerError,
  type Bindings,
  type CellRunResult,
  cellRunResult,
  decodeValue,
  encodeFrame,
  encodeValue,
  type Frame,
  FrameDecoder,
  type Value,
} from "@artificer/protocol";
import { createPythonKernel } from "../../src/index.js";
import { bindings as sampleBindings } from "./sample-bindings.js";

export type Handler = (params: Record<string, Value>, request: Message) => unknown;

export interface Message {
  type: string;
  id: number;
  method?: string;
  name?: string;
  cell?: number;
  key?: string;
  params?: unknown;
  value?: unknown;
  error?: { code: string; message: string };
}

export interface HostOptions {
  python?: string;
  handlers?: Record<string, Handler>;
  bindings?: Bindings;
  limits?: Partial<{ maxValueBytes: number; maxReprChars: number; maxDisplayBytes: number; maxDisplays: number }>;
  env?: Record<string, string>;
  cwd?: string;
  prefix?: string[];
  snapshots?: boolean;
  /** More parameters of `kernel.start`. */
  start?: Record<string, unknown>;
}

export interface Running<T> extends Promise<T> {
  readonly id: number;
}

const program = createPythonKernel({
  cacheFolder: join(tmpdir(), `artificer-test-bytecode-${process.getuid?.() ?? 0}`),
});

/** A real kernel process, and the least of a host that can talk to it. */
export class ScriptedHost {
  readonly child: ChildProcess;
  readonly notices: (Message & { params: Record<string, Value> })[] = [];
  readonly requests: Message[] = [];
  readonly cancels: number[] = [];
  readonly chunks: { stream: "stdout" | "stderr"; text: string }[] = [];
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  readonly frameErrors: unknown[] = [];
  /** Takes the output instead of `chunks`, when there is too much of it to keep. */
  onOutput: ((chunk: Uint8Array) => void) | undefined;
  readonly #wire: Duplex;
  readonly #pending = new Map<number, { resolve(value: Value): void; reject(error: unknown): void }>();
  readonly #handlers: Record<string, Handler>;
  readonly #folder: string | undefined;
  #decoder = new FrameDecoder();
  #nextId = 1;
  #cell = 0;
  #outputGrew: (() => void)[] = [];

  static async start(options: HostOptions = {}): Promise<ScriptedHost> {
    const interpreter = await program.findInterpreter({ path: options.python });
    const folder = options.cwd === undefined ? await mkdtemp(join(tmpdir(), "artificer-kernel-")) : undefined;
    const command = [
      ...(options.prefix ?? []),
      ...program.command(interpreter, { folder: program.folder, wire: "fd:3" }),
    ];
    const host = new ScriptedHost(command, options, folder);
    await host.request("kernel.start", {
      wire: 1,
      key: "the-key",
      session: "test",
      generation: 1,
      bindings: options.bindings ?? sampleBindings,
      ...options.start,
      limits: {
        maxValueBytes: 1 << 26,
        maxReprChars: 2000,
        maxDisplayBytes: 1 << 20,
        maxDisplays: 5,
        ...options.limits,
      },
      ...(options.snapshots === undefined ? {} : { snapshots: options.snapshots }),
    });
    return host;
  }

  private constructor(command: string[], options: HostOptions, folder: string | undefined) {
    this.#handlers = options.handlers ?? {};
    this.#folder = folder;
    this.child = spawn(command[0]!, command.slice(1), {
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      detached: true,
      cwd: options.cwd ?? folder,
      env: { PATH: process.env.PATH ?? "", HOME: tmpdir(), ...options.env },
    });
    this.#wire = this.child.stdio[3] as Duplex;
    this.#wire.on("data", (chunk: Uint8Array) => this.#receive(chunk));
    this.#wire.on("error", () => undefined);
    this.#wire.on("close", () => {
      for (const { reject } of this.#pending.values()) reject(new Error("The kernel closed the wire."));
      this.#pending.clear();
    });
    for (const stream of ["stdout", "stderr"] as const) {
      (this.child[stream] as Readable).on("data", (chunk: Uint8Array) => {
        if (this.onOutput !== undefined) return this.onOutput(chunk);
        this.chunks.push({ stream, text: Buffer.from(chunk).toString("latin1") });
        for (const told of this.#outputGrew.splice(0)) told();
      });
    }
    this.exited = new Promise((resolve) => this.child.once("close", (code, signal) => resolve({ code, signal })));
  }

  request(method: string, params: unknown): Running<Value> {
    const id = this.#nextId++;
    const { json, parts } = encodeValue(params);
    const answer = new Promise<Value>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#send({ type: "request", id, method, params: json }, parts);
    return Object.assign(answer, { id });
  }

  /** Runs a cell and waits until its output has arrived; checks the result against the wire's own schema. */
  async run(code: string): Promise<CellRunResult> {
    const result = cellRunResult.parse(await this.start(code));
    if (result.marker !== undefined && this.onOutput === undefined) {
      while (this.output.split(result.marker).length < 3) {
        await new Promise<void>((resolve) => this.#outputGrew.push(resolve));
      }
      for (const chunk of this.chunks) chunk.text = chunk.text.replace(result.marker, "");
      this.#dropMarker(result.marker);
    }
    return result;
  }

  start(code: string): Running<Value> {
    return this.request("cell.run", { cell: ++this.#cell, code });
  }

  cancel(id: number): void {
    this.#send({ type: "cancel", id });
  }

  /** Everything printed since the last call, in the order it arrived. */
  takeOutput(): string {
    const text = Buffer.from(this.output, "latin1").toString("utf8");
    this.chunks.length = 0;
    return text;
  }

  get output(): string {
    return this.chunks.map((chunk) => chunk.text).join("");
  }

  endWire(): void {
    this.#wire.destroy();
  }

  async close(): Promise<void> {
    try {
      process.kill(-this.child.pid!, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
    for (const stream of this.child.stdio) stream?.destroy();
    await this.exited;
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  /** A marker may be split over two chunks of one stream. */
  #dropMarker(marker: string): void {
    for (const stream of ["stdout", "stderr"] as const) {
      const mine = this.chunks.filter((chunk) => chunk.stream === stream);
      const whole = mine.map((chunk) => chunk.text).join("");
      if (!whole.includes(marker)) continue;
      for (const chunk of mine) chunk.text = "";
      mine[0]!.text = whole.replace(marker, "");
    }
  }

  #send(header: object, parts: readonly Uint8Array[] = []): void {
    for (const chunk of encodeFrame(header, parts)) this.#wire.write(chunk);
  }

  #receive(chunk: Uint8Array): void {
    let frames: Frame[];
    try {
      frames = this.#decoder.push(chunk);
    } catch (error) {
      // As the real host does: a bad frame ends the kernel.
      this.frameErrors.push(error);
      this.child.kill("SIGKILL");
      return;
    }
    for (const frame of frames) this.#dispatch(frame.header as Message, frame.parts);
  }

  #dispatch(message: Message, parts: readonly Uint8Array[]): void {
    if (message.key !== "the-key") throw new Error(`A frame lacks the key: ${JSON.stringify(message)}`);
    if (message.type === "response") {
      const waiting = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (message.error === undefined) waiting?.resolve(decodeValue(message.value, parts));
      else waiting?.reject(Object.assign(new Error(message.error.message), message.error));
    } else if (message.type === "notice") {
      const params = decodeValue(message.params, parts) as Record<string, Value>;
      this.notices.push({ ...message, params });
    } else if (message.type === "cancel") {
      this.cancels.push(message.id);
    } else void this.#answer(message, parts);
  }

  async #answer(message: Message, parts: readonly Uint8Array[]): Promise<void> {
    const params = decodeValue(message.params, parts) as Record<string, Value>;
    this.requests.push({ ...message, params });
    try {
      const handler = this.#handlers[message.method ?? ""];
      if (handler === undefined) throw new ArtificerError("wire/unknown-method", `No ${message.method} here.`);
      const { json, parts: bytes } = encodeValue(await handler(params, message));
      this.#send({ type: "response", id: message.id, value: json }, bytes);
    } catch (error) {
      const facts = ArtificerError.is(error) ? error.toJSON() : { code: "tool/failed", message: String(error) };
      this.#send({ type: "response", id: message.id, error: facts });
    }
  }
}
