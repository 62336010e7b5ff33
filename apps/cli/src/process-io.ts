import { constants } from "node:os";
import type { Writable } from "node:stream";
import { errorCodes } from "@artificer/protocol";
import { type CliIo, readerGone } from "./context.js";

/** The real process as a command sees it, and how it ends. */
export function processIo(host: NodeJS.Process): { io: CliIo; exit(code: number): Promise<never> } {
  const ending = new AbortController();
  let endedBy: NodeJS.Signals | undefined;
  let interruptHandler: (() => void) | undefined;

  const end = (signal: NodeJS.Signals, reason: Error) => {
    // Asked twice: whoever asks won't wait for cells to wind down. Kernels end when their wire closes.
    if (endedBy !== undefined && signal !== "SIGPIPE") host.exit(exitCodeOf(signal));
    endedBy ??= signal;
    ending.abort(reason);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    host.on(signal, () =>
      signal === "SIGINT" && interruptHandler ? interruptHandler() : end(signal, new Error(`${signal} came.`)),
    );
  }
  for (const stream of [host.stdout, host.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE" || error.code === "EIO") return end("SIGPIPE", readerGone);
      if (stream === host.stdout) host.stderr.write(`artificer: can't write the output: ${error.message}\n`);
      host.exit(errorCodes["storage/unavailable"].exit);
    });
  }

  const io: CliIo = {
    stdin: host.stdin,
    stdout: host.stdout,
    stderr: host.stderr,
    env: host.env,
    cwd: host.cwd(),
    signal: ending.signal,
    takeInterrupts(handler) {
      interruptHandler = handler;
      return () => {
        interruptHandler = undefined;
      };
    },
  };
  return {
    io,
    async exit(code) {
      await Promise.all([flushed(host.stdout), flushed(host.stderr)]);
      return host.exit(endedBy === undefined ? code : exitCodeOf(endedBy));
    },
  };
}

/** What a shell shows for a program that a signal ended. */
function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + (constants.signals[signal] ?? 0);
}

function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) resolve();
    else stream.write("", () => resolve());
  });
}
