import { createInterface } from "node:readline";
import type { CliIo } from "../context.js";
import { type HistoryFile, historySize } from "./history-file.js";

/** Lines as they are typed, kept in order while a cell runs. */
export interface LineReader {
  /** The next line; undefined once input has ended. */
  next(prompt: string): Promise<string | undefined>;
  /** A line for a question that came up meanwhile; lines typed before it are no answer. Undefined once input has ended or `signal` fires. */
  ask(prompt: string, options: { signal: AbortSignal }): Promise<string | undefined>;
  /** Forgets what has been typed of the current line; answers whether there was any. */
  clear(): boolean;
  /** Ends the line on the screen, with a remark when there is one, and gives an empty line to whoever waits for one. */
  interrupted(remark: string): void;
  close(): void;
}

/** Reads lines with editing and history on a terminal, plainly from a pipe. `onInterrupt` is told of Ctrl-C. */
export function openLineReader(io: CliIo, options: { history: HistoryFile; onInterrupt(): void }): LineReader {
  const terminal = io.stdin.isTTY === true && io.stdout.isTTY === true;
  const reader = createInterface({
    input: io.stdin,
    output: terminal ? io.stdout : undefined,
    terminal,
    historySize,
    history: [...options.history.lines],
    removeHistoryDuplicates: true,
  });
  const queue: string[] = [];
  let waiting: ((line: string | undefined) => void) | undefined;
  let asked: ((line: string | undefined) => void) | undefined;
  let closed = false;

  const deliver = (line: string | undefined) => {
    const receiver = waiting;
    waiting = undefined;
    receiver?.(line);
  };
  reader.on("line", (line) => {
    if (asked !== undefined) asked(line);
    else if (waiting === undefined) queue.push(line);
    else deliver(line);
  });
  reader.on("history", (lines) => options.history.save(lines));
  // On a terminal in raw mode Ctrl-C is a key; from a pipe it is a signal to the process.
  reader.on("SIGINT", options.onInterrupt);
  const release = io.takeInterrupts(options.onInterrupt);
  reader.on("close", () => {
    closed = true;
    asked?.(undefined);
    deliver(undefined);
  });

  return {
    next(prompt) {
      const line = queue.shift();
      if (line !== undefined || closed) return Promise.resolve(line);
      return new Promise((resolve) => {
        waiting = resolve;
        if (!terminal) return;
        reader.setPrompt(prompt);
        reader.prompt();
      });
    },
    ask(prompt, { signal }) {
      if (closed || signal.aborted) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const settle = (line: string | undefined) => {
          asked = undefined;
          signal.removeEventListener("abort", onAbort);
          resolve(line);
        };
        const onAbort = () => settle(undefined);
        signal.addEventListener("abort", onAbort, { once: true });
        asked = settle;
        reader.setPrompt(prompt);
        reader.prompt();
      });
    },
    clear() {
      const typed = reader.line !== undefined && reader.line !== "";
      if (terminal) {
        reader.write(null, { ctrl: true, name: "e" });
        reader.write(null, { ctrl: true, name: "u" });
      }
      return typed;
    },
    interrupted(remark) {
      if (terminal) io.stdout.write(`\n${remark === "" ? "" : `${remark}\n`}`);
      else if (remark !== "") io.stderr.write(`${remark}\n`);
      deliver("");
    },
    close() {
      // Not when the input ends: the last cell may still be running, and Ctrl-C is for it.
      release();
      reader.close();
    },
  };
}
