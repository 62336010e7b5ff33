import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import {
  type Bindings,
  type CellRunResult,
  cellRunResult,
  decodeValue,
  encodeFrame,
  encodeValue,
  FrameDecoder,
  type Value,
  type WireMessage,
  wireMessage,
} from "@artificer/protocol";
import { createTypescriptKernel, prepareCell } from "../src/index.js";

export interface HostRequest {
  method: string;
  params: Record<string, unknown>;
  cell: number | undefined;
  /** Fires when the kernel withdraws the request. */
  signal: AbortSignal;
}

export interface ScriptedHostOptions {
  bindings?: Bindings;
  /** Answers the kernel's requests; what it throws goes back as an error. */
  answer?: (request: HostRequest) => unknown;
  limits?: Partial<{ maxValueBytes: number; maxReprChars: number; maxDisplayBytes: number; maxDisplays: number }>;
  nodeFlags?: string[];
  env?: Record<string, string>;
  /** Told to the kernel: whether its variables will be saved. */
  snapshots?: boolean;
}

/** A real kernel process, driven by frames. */
export class ScriptedHost {
  readonly cwd: string;
  readonly key = "k-12345";
  readonly notices: { name: string; params: Value; cell: number | undefined }[] = [];
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  started: Record<string, unknown> = {};
  stdout = "";
  stderr = "";
  readonly child: ChildProcess;
  readonly #wire: Duplex;
  readonly #decoder = new FrameDecoder();
  readonly #pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  readonly #asked = new Map<number, AbortController>();
  readonly #answer: (request: HostRequest) => unknown;
  #lastId = 0;
  #lastCell = 0;
  #ended: Error | undefined;

  private constructor(cwd: string, child: ChildProcess, answer: (request: HostRequest) => unknown) {
    this.cwd = cwd;
    this.child = child;
    this.#answer = answer;
    this.#wire = child.stdio[3] as Duplex;
    child.stdout!.setEncoding("utf8").on("data", (text: string) => (this.stdout += text));
    child.stderr!.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    this.#wire.on("data", (chunk: Buffer) => {
      for (const frame of this.#decoder.push(new Uint8Array(chunk)))
        this.#receive(wireMessage.parse(frame.header), frame.parts);
    });
    this.#wire.on("error", () => {});
    this.exited = new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal })));
    void this.exited.then((exit) => {
      this.#ended = new Error(`The kernel ended: ${JSON.stringify(exit)} ${this.stderr}`);
      for (const { reject } of this.#pending.values()) reject(this.#ended);
    });
  }

  static async open(options: ScriptedHostOptions = {}): Promise<ScriptedHost> {
    const cwd = await realpath(await mkdtemp(join(tmpdir(), "artificer-ts-")));
    const program = createTypescriptKernel({ nodeFlags: options.nodeFlags ?? [] });
    const interpreter = await program.findInterpreter({ path: process.env.ARTIFICER_TEST_NODE });
    const [command, ...args] = program.command(interpreter, { folder: program.folder, wire: "fd:3" });
    const child = spawn(command!, args, {
      cwd,
      env: { PATH: process.env.PATH ?? "", ...options.env },
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    const host = new ScriptedHost(cwd, child, options.answer ?? (() => null));
    host.started = (await host.request("kernel.start", {
      wire: 1,
      key: host.key,
      session: "s",
      generation: 1,
      bindings: options.bindings ?? { toolkits: [] },
      ...(options.snapshots === undefined ? {} : { snapshots: options.snapshots }),
      limits: { maxValueBytes: 1e6, maxReprChars: 10_000, maxDisplayBytes: 1e6, maxDisplays: 5, ...options.limits },
    })) as Record<string, unknown>;
    return host;
  }

  request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const id = ++this.#lastId;
    const { json, parts } = encodeValue(params);
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ type: "request", id, method, params: json }, parts);
      signal?.addEventListener("abort", () => this.#send({ type: "cancel", id }));
    });
  }

  /** Prepares and runs a cell, and waits for its output's end. */
  async cell(code: string, signal?: AbortSignal): Promise<CellRunResult & { stdout: string; stderr: string }> {
    const outBefore = this.stdout.length;
    const errBefore = this.stderr.length;
    const value = await this.request("cell.run", { cell: ++this.#lastCell, code: prepareCell(code).js }, signal);
    const result = cellRunResult.parse(value);
    const { marker } = result;
    if (marker !== undefined) {
      while (!this.stdout.includes(marker) || !this.stderr.includes(marker)) await new Promise((r) => setTimeout(r, 2));
      this.stdout = this.stdout.replace(marker, "");
      this.stderr = this.stderr.replace(marker, "");
    }
    return { ...result, stdout: this.stdout.slice(outBefore), stderr: this.stderr.slice(errBefore) };
  }

  /** Closes the channel, as a host that died would. */
  hangUp(): void {
    this.#wire.destroy();
  }

  async close(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.exited;
    await rm(this.cwd, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #send(header: object, parts: Uint8Array[] = []): void {
    for (const chunk of encodeFrame(header, parts)) this.#wire.write(chunk);
  }

  #receive(message: WireMessage, parts: Uint8Array[]): void {
    if (message.key !== this.key) throw new Error(`a frame without the kernel's secret: ${JSON.stringify(message)}`);
    if (message.type === "response") {
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (message.error !== undefined) pending?.reject(Object.assign(new Error(message.error.message), message.error));
      else pending?.resolve(decodeValue(message.value ?? null, parts));
    } else if (message.type === "notice") {
      this.notices.push({ name: message.name, params: decodeValue(message.params, parts), cell: message.cell });
    } else if (message.type === "cancel") {
      this.#asked.get(message.id)?.abort();
    } else {
      const controller = new AbortController();
      this.#asked.set(message.id, controller);
      const params = decodeValue(message.params, parts) as Record<string, unknown>;
      void this.#reply(message.id, { method: message.method, params, cell: message.cell, signal: controller.signal });
    }
  }

  async #reply(id: number, request: HostRequest): Promise<void> {
    try {
      const { json, parts } = encodeValue((await this.#answer(request)) ?? null);
      this.#send({ type: "response", id, value: json }, parts);
    } catch (error) {
      const { code, message, hint, details } = error as {
        code?: string;
        message: string;
        hint?: string;
        details?: object;
      };
      this.#send({ type: "response", id, error: { code: code ?? "internal/fault", message, hint, details } });
    }
    this.#asked.delete(id);
  }
}
