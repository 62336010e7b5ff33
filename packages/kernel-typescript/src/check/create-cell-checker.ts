import type { CellChecker, CheckContext, CodeProblem } from "@artificer/protocol";
import { prepareSource } from "../prepare/prepare-source.js";
import type { CheckRequest, CheckResult } from "./checker-messages.js";
import type { CheckerSettings } from "./checker-process.js";
import { EarlierCells } from "./earlier-cells.js";
import { type LentChecker, lendChecker } from "./lend-checker.js";

/** Reads a session's TypeScript cells, in a process that all sessions of the host share. */
export function createCellChecker(settings: CheckerSettings = {}): CellChecker {
  const earlier = new EarlierCells();
  let lent: LentChecker | undefined;
  /** The cell that was read last, whose declarations are kept once it has run. */
  let read: { code: string; result: CheckResult; sound: boolean } | undefined;

  async function ask(code: string, context: CheckContext, signal: AbortSignal | undefined): Promise<CheckResult> {
    lent ??= lendChecker(settings);
    const request: CheckRequest = {
      folder: context.folder,
      tools: context.tools,
      modules: earlier.modules,
      known: earlier.known(context.names),
      code,
      assigned: prepareSource(code, "cell").header.names ?? [],
    };
    return lent.process.ask(request, { signal });
  }

  return {
    async check(code, context, { signal } = {}): Promise<CodeProblem[]> {
      read = undefined;
      if (prepareSource(code, "cell").header.problem !== undefined) return [];
      while (earlier.hasUnread) {
        const cell = earlier.takeUnread()!;
        const unknown = { problems: [], declarations: undefined, declared: [] };
        const result = cell.completed ? await ask(cell.code, context, signal) : unknown;
        earlier.keep(cell, result, false);
      }
      const result = await ask(code, context, signal);
      read = { code, result, sound: result.problems.length === 0 };
      return result.problems;
    },
    ran(cell) {
      if (read?.code === cell.code) earlier.keep(cell, read.result, read.sound);
      else earlier.add(cell);
      read = undefined;
    },
    async close() {
      await lent?.giveBack();
      lent = undefined;
    },
  };
}
