import type { Language } from "@artificer/protocol";
import type { Session } from "artificer";
import { promptApprovals } from "../approvals/prompt-approvals.js";
import type { CliIo } from "../context.js";
import { createCellPrinter } from "../output/cell-printer.js";
import { reportError } from "../output/report-error.js";
import { type HistoryFile, openHistoryFile } from "./history-file.js";
import { openLineReader } from "./line-reader.js";
import { needsMore } from "./needs-more.js";
import { runReplCommand } from "./repl-commands.js";
import type { ReplState } from "./repl-state.js";

export interface ReplOptions {
  base: string;
  language: Language;
  timeoutMs?: number;
  debug?: boolean;
}

/** Reads cells, runs them, shows what they give, until the input ends, or Ctrl-C comes twice with nothing to interrupt. */
export async function repl(session: Session, io: CliIo, options: ReplOptions): Promise<void> {
  const state: ReplState = { language: options.language, cells: [] };
  const history: HistoryFile = openHistoryFile(options.base);
  let running: AbortController | undefined;
  let pending = "";
  let leaving = false;

  const onInterrupt = () => {
    if (running !== undefined) return running.abort(new Error("Ctrl-C"));
    const typed = reader.clear();
    if (typed || pending !== "") {
      pending = "";
      leaving = false;
      reader.interrupted("");
    } else if (leaving) reader.close();
    else {
      leaving = true;
      reader.interrupted("(Ctrl-C again or Ctrl-D to leave)");
    }
  };
  const reader = openLineReader(io, { history, onInterrupt });
  const atTerminal = io.stdin.isTTY === true && io.stdout.isTTY === true;
  const stopAsking = atTerminal ? promptApprovals(session, io, reader.ask) : undefined;
  const end = () => {
    running?.abort(io.signal.reason);
    reader.close();
  };
  io.signal.addEventListener("abort", end, { once: true });

  const evaluate = async (code: string) => {
    running = new AbortController();
    try {
      if (code.startsWith(":")) return await runReplCommand(code, { session, io, state });
      const { language } = state;
      state.cells.push({ code, language });
      const printer = createCellPrinter(io);
      const { signal } = running;
      const { onOutput, onDisplay } = printer;
      printer.finish(await session.run(code, { language, timeoutMs: options.timeoutMs, signal, onOutput, onDisplay }));
    } catch (error) {
      reportError(io, error, { debug: options.debug });
    } finally {
      running = undefined;
    }
  };

  if (io.stdin.isTTY) io.stdout.write(`${state.language}, session ${session.id}; :help tells what else there is\n`);
  try {
    for (;;) {
      const line = await reader.next(pending === "" ? `${state.language.slice(0, 2)}> ` : "... ");
      if (line === undefined) break;
      if (pending === "" && line.trim() === "") continue;
      leaving = false;
      const code = pending === "" ? line : `${pending}\n${line}`;
      if (!code.startsWith(":") && needsMore(code, state.language)) {
        pending = code;
        continue;
      }
      pending = "";
      if (/^:(quit|exit|q)\s*$/.test(code)) break;
      await evaluate(code);
    }
    if (pending !== "" && !io.signal.aborted) await evaluate(pending);
  } finally {
    stopAsking?.();
    io.signal.removeEventListener("abort", end);
    reader.close();
  }
}
