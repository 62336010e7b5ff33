import type { Display, OutcomeData, OutputChunk, Truncation } from "@artificer/protocol";
import { type CliIo, readerGone } from "../context.js";
import { type DisplaySaver, describeDisplay } from "./display-saver.js";
import { formatBytes } from "./format-bytes.js";

/** Shows cells as they run: output live, then the value as its language writes it; what failed on stderr. */
export interface CellPrinter {
  onOutput(chunk: OutputChunk): void;
  onDisplay(display: Display): void;
  /** Ends the cell: value, traceback, remarks. */
  finish(outcome: OutcomeData): void;
  /** Settles when displays are saved. @throws what saving threw */
  settled(): Promise<void>;
}

/** A traceback says all that there is to say about these. */
const told: ReadonlySet<string> = new Set(["cell/exception", "cell/syntax"]);

/** Shown in full as they came, whatever the outcome keeps of them. */
const live: ReadonlySet<string> = new Set(["stdout", "stderr"]);

/** Prints for people; with `saver`, images become files. */
export function createCellPrinter(io: CliIo, saver?: DisplaySaver): CellPrinter {
  let midLine = false;
  let saving: Promise<void> = Promise.resolve();

  const line = (text: string) => {
    if (midLine) io.stdout.write("\n");
    midLine = false;
    io.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
  };
  const remark = (text: string) => io.stderr.write(text.endsWith("\n") ? text : `${text}\n`);

  const printer: CellPrinter = {
    onOutput({ stream, text }) {
      if (text === "") return;
      if (stream === "stdout") {
        midLine = !text.endsWith("\n");
        io.stdout.write(text);
      } else io.stderr.write(text);
    },
    onDisplay(display) {
      if (saver === undefined) return line(describeDisplay(display));
      saving = saving.then(async () => {
        for (const file of await saver.save(display)) line(file);
      });
    },
    finish(outcome) {
      if (io.signal.reason === readerGone) return;
      if (outcome.background.length > 0) remark("note: written after the cell before had ended:");
      for (const chunk of outcome.background) printer.onOutput(chunk);
      if (outcome.repr !== undefined && outcome.status === "completed") line(outcome.repr);
      else if (midLine) line("");
      const { error, traceback } = outcome;
      if (traceback) remark(traceback);
      if (error !== undefined && (!traceback || !told.has(error.code))) remark(`error: ${error.message}`);
      if (error?.hint !== undefined) remark(`  hint: ${error.hint}`);
      for (const cut of outcome.truncated) if (!live.has(cut.what)) remark(`note: ${describeCut(cut)}`);
      for (const notice of outcome.notices) remark(`note: ${notice}`);
      if (outcome.state.note !== undefined) remark(`note: ${outcome.state.note}`);
    },
    async settled() {
      await saving;
    },
  };
  return printer;
}

function describeCut({ what, keptBytes, totalBytes, artifact }: Truncation): string {
  const rest = artifact === undefined ? "" : `; all of it is the artifact ${artifact}`;
  return `${what}: ${formatBytes(keptBytes)} of ${formatBytes(totalBytes)} shown${rest}`;
}
