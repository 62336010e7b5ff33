import type { Session } from "artificer";
import type { CellSource } from "./cell-sources.js";
import type { CliIo } from "./context.js";
import { createCellPrinter } from "./output/cell-printer.js";
import type { DisplaySaver } from "./output/display-saver.js";
import { outcomeExitCode } from "./output/outcome-exit-code.js";
import { writeJson } from "./output/write-json.js";

export interface RunCellsOptions {
  json?: boolean;
  timeoutMs?: number;
  keepGoing?: boolean;
  check?: boolean;
  /** Lists tool calls instead of making them: all, or those that do more than read. */
  dryRun?: "all" | "writes";
  saver?: DisplaySaver;
}

/** Runs cells in order and shows what they give; answers the exit code of the first that did not complete, or 0. */
export async function runCells(
  session: Session,
  io: CliIo,
  cells: readonly CellSource[],
  { json, timeoutMs, keepGoing, check, dryRun, saver }: RunCellsOptions,
): Promise<number> {
  let exitCode = 0;
  for (const { code, language } of cells) {
    const printer = json ? undefined : createCellPrinter(io, saver);
    const outcome = await session.run(code, {
      language,
      timeoutMs,
      check,
      signal: io.signal,
      dryRun: dryRun === "all" ? true : dryRun === "writes" ? "reads" : false,
      onOutput: printer?.onOutput,
      onDisplay: printer?.onDisplay,
    });
    printer?.finish(outcome);
    await printer?.settled();
    if (json) {
      if (saver) for (const display of outcome.displays) await saver.save(display);
      writeJson(io, outcome.toJSON());
    }
    exitCode ||= outcomeExitCode(outcome);
    if (io.signal.aborted || (exitCode !== 0 && !keepGoing)) break;
  }
  return exitCode;
}
