import type { Readable, Writable } from "node:stream";
import type { CommandContext, StricliProcess } from "@stricli/core";

/** The terminal, or what stands for it: everything a command may touch of its process. */
export interface CliIo {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable & { isTTY?: boolean };
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Fires when the process is asked to end, or nobody reads its output any more. */
  signal: AbortSignal;
  /** Sends Ctrl-C to `handler` instead of ending the command; the function returned gives it back. */
  takeInterrupts(handler: () => void): () => void;
}

/** Why `CliIo.signal` fired when the reader of the output has gone, as `head` does: nothing is wrong, and nobody is left to tell. */
export const readerGone = new Error("Nobody reads the output any more.");

/** What a command is called with, as `this`. */
export interface CliContext extends CommandContext {
  readonly process: StricliProcess;
  readonly io: CliIo;
  /** The arguments as typed, for what depends on their order. */
  readonly argv: readonly string[];
}
