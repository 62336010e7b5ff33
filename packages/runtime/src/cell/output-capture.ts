import type { OutputChunk, StreamName } from "@artificer/protocol";
import type { CleanStream } from "../redaction/redactor.js";
import { type CapturedStream, StreamCapture, type StreamLimits } from "./stream-capture.js";

const maxChunks = 2_000;
const maxChunkChars = 1_000_000;

export interface OutputCaptureOptions {
  stdout: StreamLimits;
  stderr: StreamLimits;
  /** Cleans one stream; asked once for each. */
  clean(): CleanStream;
  /** Told of every piece as it arrives, before any cut. */
  onOutput?: (chunk: OutputChunk) => void;
}

export interface CapturedOutput {
  stdout: CapturedStream;
  stderr: CapturedStream;
  /** Both streams in the order they were written; one after the other when there was more than the outcome keeps. */
  ordered: OutputChunk[];
}

/** Both streams of one cell, in the order that they arrive. */
export class OutputCapture {
  readonly #options: OutputCaptureOptions;
  /** Made when a stream's first bytes come: most cells write nothing. */
  readonly #streams: Partial<Record<StreamName, StreamCapture>> = {};
  readonly #ordered: OutputChunk[] = [];
  readonly #onOutput: ((chunk: OutputChunk) => void) | undefined;
  #waiting: { marker: Uint8Array; open: Set<StreamName>; done: () => void } | undefined;
  /** What came after the marker: it belongs to no cell. */
  readonly after: { stream: StreamName; chunk: Uint8Array }[] = [];
  /** Told when what was shown is to go along with what was written. */
  onClear: (() => void) | undefined;
  #clearNext = false;
  #found = new Set<StreamName>();
  #tooMany = false;

  constructor(options: OutputCaptureOptions) {
    this.#options = options;
    this.#onOutput = options.onOutput;
  }

  push(stream: StreamName, chunk: Uint8Array): void {
    if (this.#found.has(stream)) {
      this.after.push({ stream, chunk });
      return;
    }
    if (this.#clearNext) this.#clear();
    this.#stream(stream).filter.push(chunk);
    if (this.#waiting !== undefined) this.#look();
  }

  /** Forgets what was written so far; with `wait`, once more is written or shown. */
  clear({ wait }: { wait: boolean }): void {
    if (wait) this.#clearNext = true;
    else this.#clear();
  }

  /** Something is about to be shown. */
  beforeDisplay(): void {
    if (this.#clearNext) this.#clear();
  }

  #clear(): void {
    this.#clearNext = false;
    for (const stream of ["stdout", "stderr"] as const) this.#streams[stream]?.clear();
    this.#ordered.length = 0;
    this.#tooMany = false;
    this.onClear?.();
  }

  /** Resolves when both streams have been read up to the marker, or `giveUpMs` after which they count as read. */
  async until(marker: string, giveUpMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, giveUpMs);
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting = { marker: Buffer.from(marker), open: new Set<StreamName>(["stdout", "stderr"]), done };
      this.#look();
    });
    this.#waiting = undefined;
  }

  finish(): CapturedOutput {
    const stdout = this.#streams.stdout?.finish() ?? nothing;
    const stderr = this.#streams.stderr?.finish() ?? nothing;
    return {
      stdout,
      stderr,
      ordered: stdout.cut || stderr.cut || this.#tooMany ? fromStreams(stdout, stderr) : this.#ordered,
    };
  }

  #stream(stream: StreamName): StreamCapture {
    const { clean, onOutput, [stream]: limits } = this.#options;
    this.#streams[stream] ??= new StreamCapture(stream, {
      ...limits,
      clean: clean(),
      onText: (chunk) => this.#add(chunk),
      live: onOutput !== undefined,
    });
    return this.#streams[stream];
  }

  #look(): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    for (const stream of waiting.open) {
      const rest = this.#streams[stream]?.filter.find(waiting.marker);
      if (rest === undefined) continue;
      waiting.open.delete(stream);
      this.#found.add(stream);
      if (rest.byteLength > 0) this.after.push({ stream, chunk: rest });
    }
    if (waiting.open.size === 0) waiting.done();
  }

  #add(chunk: OutputChunk): void {
    this.#onOutput?.(chunk);
    const last = this.#ordered.at(-1);
    if (this.#ordered.length >= maxChunks || (last?.text.length ?? 0) > maxChunkChars) this.#tooMany = true;
    else if (last?.stream === chunk.stream) last.text += chunk.text;
    else this.#ordered.push({ ...chunk });
  }
}

/** A stream that nothing was written to. */
const nothing: CapturedStream = { text: "", totalBytes: 0, keptBytes: 0, cut: false, whole: undefined };

function fromStreams(stdout: CapturedStream, stderr: CapturedStream): OutputChunk[] {
  const chunks: OutputChunk[] = [];
  if (stdout.text !== "") chunks.push({ stream: "stdout", text: stdout.text });
  if (stderr.text !== "") chunks.push({ stream: "stderr", text: stderr.text });
  return chunks;
}
