import {
  type ArtificerError,
  type KernelProgram,
  type Language,
  type OutputChunk,
  type StateReport,
  type StreamName,
  toArtificerError,
} from "@artificer/protocol";
import type { ActiveCell } from "../cell/active-cell.js";
import type { Kernel, KernelEnd } from "../kernel/kernel.js";
import type { CleanStream, Redactor } from "../redaction/redactor.js";
import type { SnapshotKeeper } from "../snapshots/snapshot-keeper.js";
import type { CellChecks } from "./cell-checks.js";
import type { VariableMaker } from "./session-variable.js";

const maxBackgroundChars = 20_000;

/** Starts a kernel of the slot's language. `slot.output` must be given its output. */
export type StartKernel = (slot: KernelSlot, generation: number, signal: AbortSignal | undefined) => Promise<Kernel>;

/** The place of one language in a session: at most one live kernel, its generation, its cells in order. */
export class KernelSlot {
  readonly language: Language;
  readonly program: KernelProgram;
  readonly #start: StartKernel;
  #generation = 0;
  #starting: Promise<Kernel> | undefined;
  #kernel: Kernel | undefined;
  #lastEnd: { generation: number; end: KernelEnd } | undefined;
  #started: StateReport["start"];
  #tail: Promise<unknown> = Promise.resolve();
  #queued = 0;
  #closed: ArtificerError | undefined;
  /** Gives up a start that is under way: making an environment, or installing deps, may take minutes. */
  readonly #closing = new AbortController();
  /** Called when the last cell in the queue has its outcome. */
  onIdle: (() => void) | undefined;
  /** The cell that is running; output and requests belong to it. */
  active: ActiveCell | undefined;
  /** Keeps the variables beyond the kernel, when the session has snapshots. */
  keeper: SnapshotKeeper | undefined;
  /** Reads cells before they run, where their language can be checked. */
  checks: CellChecks | undefined;
  #background: { stream: StreamName; text: string }[] = [];
  #backgroundChars = 0;
  readonly #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  readonly #clean: Record<StreamName, CleanStream>;
  /** Remarks for the next cell, on what happened since the last: late answers of tools. */
  readonly remarks: string[] = [];
  /** Names that the live kernel's cells have bound. */
  readonly names = new Set<string>();
  /** Which of its cells bound each of them last. */
  readonly makers = new Map<string, VariableMaker>();

  constructor(program: KernelProgram, start: StartKernel, redactor: Redactor) {
    this.language = program.language;
    this.program = program;
    this.#start = start;
    this.#clean = { stdout: redactor.stream(), stderr: redactor.stream() };
  }

  get generation(): number {
    return this.#generation;
  }

  get kernel(): Kernel | undefined {
    return this.#kernel?.alive ? this.#kernel : undefined;
  }

  /** Runs tasks one after another, in the order they came. */
  enqueue<T>(task: () => Promise<T>): Promise<T> {
    this.#queued++;
    const run = this.#tail.then(task, task).finally(() => {
      if (--this.#queued === 0) this.onIdle?.();
    });
    this.#tail = run.catch(() => {});
    return run;
  }

  /** Whether cells run or wait here. */
  get busy(): boolean {
    return this.#queued > 0;
  }

  /** The live kernel, started when there is none. */
  ensure(signal?: AbortSignal): Promise<Kernel> {
    if (this.#kernel?.alive) return Promise.resolve(this.#kernel);
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    this.#starting ??= this.#startNext(signal).finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** How the kernel began, told once: to its first cell. */
  takeStart(): StateReport["start"] {
    const started = this.#started;
    this.#started = undefined;
    return started;
  }

  /** How the previous kernel ended, told once: a replaced kernel is never silent. */
  takeLastEnd(): { generation: number; end: KernelEnd } | undefined {
    const last = this.#lastEnd;
    this.#lastEnd = undefined;
    return last;
  }

  /** A cell has told of its kernel's end itself, so the next one need not. */
  forgetLastEnd(): void {
    this.#lastEnd = undefined;
  }

  output(stream: StreamName, chunk: Uint8Array): void {
    if (this.active !== undefined) this.active.capture.push(stream, chunk);
    else this.keepBackground(stream, chunk);
  }

  /** Output that belongs to no cell: threads and child processes that outlive theirs. */
  keepBackground(stream: StreamName, chunk: Uint8Array): void {
    if (this.#backgroundChars > maxBackgroundChars) return;
    const cleaned = this.#clean[stream].push(chunk);
    const text = this.#decoders[stream].decode(cleaned, { stream: true }).slice(0, maxBackgroundChars);
    this.#backgroundChars += text.length;
    const last = this.#background.at(-1);
    if (last?.stream === stream) last.text += text;
    else this.#background.push({ stream, text });
    if (this.#backgroundChars > maxBackgroundChars) this.#background.push({ stream, text: "\n[… more left out …]\n" });
  }

  /** Adds to the notices of the cell that runs, once. */
  remark(notice: string): void {
    if (this.active !== undefined && !this.active.notices.includes(notice)) this.active.notices.push(notice);
  }

  takeBackground(): OutputChunk[] {
    if (this.#background.length === 0) return [];
    for (const stream of ["stdout", "stderr"] as const) {
      const text = this.#decoders[stream].decode(this.#clean[stream].end(), { stream: true });
      if (text !== "") this.#background.push({ stream, text });
    }
    const chunks = this.#background;
    this.#background = [];
    this.#backgroundChars = 0;
    return chunks;
  }

  /** A cell has bound these names. */
  noteBound(names: readonly string[], { cell, author }: { cell: number; author: string | undefined }): void {
    const maker = author === undefined ? { cell } : { cell, author };
    for (const name of names) {
      this.names.add(name);
      this.makers.set(name, maker);
    }
  }

  /** Ends the kernel, if any; the next cell starts another generation. */
  async stop(reason: ArtificerError): Promise<void> {
    const kernel = (await this.#starting?.catch(() => undefined)) ?? this.#kernel;
    await kernel?.kill(reason);
    this.#kernel = undefined;
  }

  /** As `stop`, and cells that still wait start no other. */
  close(reason: ArtificerError): Promise<void> {
    this.#closed = reason;
    this.#closing.abort(reason);
    return this.stop(reason);
  }

  async #startNext(signal: AbortSignal | undefined): Promise<Kernel> {
    const generation = this.#generation + 1;
    const given = this.#closing.signal;
    const either = signal === undefined ? given : AbortSignal.any([signal, given]);
    try {
      // One that is on its way out is waited for, so that the next cell can tell how it ended.
      await this.#kernel?.ended;
      const kernel = await this.#start(this, generation, either);
      this.#generation = generation;
      this.#kernel = kernel;
      this.names.clear();
      this.makers.clear();
      for (const name of this.keeper?.restored ?? []) this.names.add(name);
      this.#started = this.names.size === 0 ? "fresh" : "restored";
      void kernel.ended.then((end) => {
        if (this.#kernel === kernel) this.#lastEnd = { generation, end };
      });
      return kernel;
    } catch (thrown) {
      throw toArtificerError(thrown, "kernel/start-failed");
    }
  }
}
