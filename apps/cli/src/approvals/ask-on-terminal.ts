import { createInterface } from "node:readline/promises";
import type { CliIo } from "../context.js";
import type { AskLine } from "./prompt-approvals.js";

/** Questions at the terminal of a command that reads no lines otherwise; undefined where nobody sits at one. */
export function askOnTerminal(io: CliIo): AskLine | undefined {
  if (io.stdin.isTTY !== true || io.stderr.isTTY !== true) return undefined;
  return async (prompt, { signal }) => {
    const reader = createInterface({ input: io.stdin, output: io.stderr, terminal: true });
    const closed = new Promise<undefined>((resolve) => reader.once("close", () => resolve(undefined)));
    // In raw mode Ctrl-C is a key: hand it on as the signal that it would have been.
    reader.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
    try {
      return await Promise.race([reader.question(prompt, { signal: AbortSignal.any([signal, io.signal]) }), closed]);
    } catch {
      return undefined;
    } finally {
      reader.close();
    }
  };
}
