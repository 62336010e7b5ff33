import { ArtificerError, type CellChecker, type CheckContext, type CodeProblem } from "@artificer/protocol";
import { prepareSource } from "../prepare/prepare-source.js";
import type { CheckRequest, CheckResult } from "./checker-messages.js";
import type { CheckerSettings } from "./checker-process.js";
import { EarlierCells } from "./earlier-cells.js";
import { type LentChecker, lendChecker } from "./lend-checker.js";

const nothing: CheckResult = { problems: [], declarations: undefined, declared: [] };

/** Reads a session's TypeScript cells, in a process that all sessions of the host share. */
export function createCellChecker(settings: CheckerSettings = {}): CellChecker {
  const earlier = new EarlierCells();
  let lent: LentChecker | undefined;
  let closed = false;
  /** The cell that was read last, whose declarations are kept once it has run. */
  let read: { code: string; result: CheckResult; sound: boolean } | undefined;

  async function ask(
    code: string,
    context: CheckContext,
    { signal, declareAnyway = false }: { signal: AbortSignal | undefined; declareAnyway?: boolean },
  ): Promise<CheckResult> {
    if (closed) throw new ArtificerError("cell/check-failed", "The cell could not be checked: its session was closed.");
    lent ??= lendChecker(settings);
    const request: CheckRequest = {
      folder: context.folder,
      tools: context.tools,
      modules: earlier.modules,
      known: earlier.known(context.names),
      code,
      declareAnyway,
      assigned: prepareSource(code, "cell").header.names ?? [],
    };
    return lent.process.ask(request, { signal });
  }

  /** That an earlier cell can't be read is no fault of this one: its names are of any type. */
  async function readEarlier(
    code: string,
    context: CheckContext,
    signal: AbortSignal | undefined,
  ): Promise<CheckResult> {
    try {
      return await ask(code, context, { signal, declareAnyway: true });
    } catch (thrown) {
      if (ArtificerError.is(thrown, "cell/check-failed") && !closed) return nothing;
      throw thrown;
    }
  }

  return {
    async check(code, context, { signal } = {}): Promise<CodeProblem[]> {
      read = undefined;
      if (prepareSource(code, "cell").header.problem !== undefined) return [];
      while (earlier.hasUnread) {
        const cell = earlier.takeUnread()!;
        earlier.keep(cell, cell.completed ? await readEarlier(cell.code, context, signal) : nothing, false);
      }
      const result = await ask(code, context, { signal });
      read = { code, result, sound: result.problems.length === 0 };
      return result.problems;
    },
    ran(cell) {
      if (read?.code === cell.code) earlier.keep(cell, read.result, read.sound);
      else earlier.add(cell);
      read = undefined;
    },
    async close() {
      closed = true;
      await lent?.giveBack();
      lent = undefined;
    },
  };
}
