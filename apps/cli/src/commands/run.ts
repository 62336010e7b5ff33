import { resolve } from "node:path";
import type { Language } from "@artificer/protocol";
import { buildCommand } from "@stricli/core";
import type { Session } from "artificer";
import { askOnTerminal } from "../approvals/ask-on-terminal.js";
import { promptApprovals } from "../approvals/prompt-approvals.js";
import { cellSources } from "../cell-sources.js";
import type { CliContext } from "../context.js";
import { createDisplaySaver } from "../output/display-saver.js";
import { runCells } from "../run-cells.js";
import {
  baseFlags,
  executorFlag,
  languageFlag,
  runtimeDepsFlag,
  type SessionFlags,
  timeoutFlag,
} from "../shared-flags.js";
import { withSession } from "../with-session.js";

interface RunFlags extends SessionFlags {
  code?: readonly string[];
  language?: Language;
  timeout?: number;
  displayDir?: string;
  keepGoing?: boolean;
  check?: boolean;
  dryRun?: "all" | "writes";
}

export const runCommand = buildCommand<RunFlags, string[], CliContext>({
  docs: {
    brief: "Run code: files, - or -c, several in one session",
    fullDescription: `Runs each FILE, - (standard input) and -c CODE as a cell, in the order given, all in one session: what one cell
defines, the next can use. Output is shown as it comes, then the value of the last expression. Stops at the
first cell that does not complete; the exit code tells how that one ended.

  artificer run -c '1+1'
  artificer run load.py -c 'len(rows)' report.py
  echo 'tools.list()' | artificer run -
  artificer run --json --timeout 30 job.py          one outcome a line: {"status":"completed","value":…}
  artificer run --dry-run writes job.py             what its tools would change
  artificer run plot.py --display-dir ./pictures    keep what the code shows as files`,
  },
  parameters: {
    flags: {
      code: {
        kind: "parsed",
        parse: String,
        optional: true,
        variadic: true,
        placeholder: "CODE",
        brief: "Code to run",
      },
      language: { ...languageFlag, brief: "Language of every cell [default = from the file's name, else python]" },
      executor: executorFlag,
      runtimeDeps: runtimeDepsFlag,
      timeout: timeoutFlag,
      displayDir: { kind: "parsed", parse: String, optional: true, placeholder: "DIR", brief: "Save images here" },
      check: {
        kind: "boolean",
        optional: true,
        withNegated: false,
        brief: "Look for errors of type in TypeScript first, and run no cell that has any",
      },
      dryRun: {
        kind: "enum",
        values: ["all", "writes"],
        optional: true,
        brief: "List tool calls instead of making them: all of them, or those that do more than read",
      },
      keepGoing: { kind: "boolean", optional: true, withNegated: false, brief: "Run all cells, even after a failure" },
      ...baseFlags,
    },
    aliases: { c: "code", l: "language", t: "timeout" },
    positional: {
      kind: "array",
      parameter: { brief: "A file, or - for standard input", parse: String, placeholder: "FILE" },
    },
  },
  async func(flags) {
    const { io } = this;
    const cells = await cellSources(io, this.argv, flags.language);
    const saver = flags.displayDir === undefined ? undefined : createDisplaySaver(resolve(io.cwd, flags.displayDir));
    const options = {
      json: flags.json,
      timeoutMs: flags.timeout,
      keepGoing: flags.keepGoing,
      check: flags.check,
      dryRun: flags.dryRun,
      saver,
    };
    const askLine = askOnTerminal(io);
    const run = async (session: Session) => {
      const stop = askLine && promptApprovals(session, io, askLine);
      return runCells(session, io, cells, options).finally(() => stop?.());
    };
    this.process.exitCode = await withSession(io, flags, run, { create: true });
  },
});
