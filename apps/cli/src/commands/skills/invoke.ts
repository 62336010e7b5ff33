import { buildCommand } from "@stricli/core";
import type { CliContext } from "../../context.js";
import { createCellPrinter } from "../../output/cell-printer.js";
import { outcomeExitCode } from "../../output/outcome-exit-code.js";
import { writeJson } from "../../output/write-json.js";
import { baseFlags, executorFlag, runtimeDepsFlag, type SessionFlags, timeoutFlag } from "../../shared-flags.js";
import { skillArguments } from "../../skill-arguments.js";
import { withSession } from "../../with-session.js";

interface InvokeFlags extends SessionFlags {
  arg?: readonly string[];
  args?: string;
  timeout?: number;
}

export const invokeCommand = buildCommand<InvokeFlags, [string], CliContext>({
  docs: {
    brief: "Run a skill",
    fullDescription: `Runs a skill and prints what it returns. A value after --arg is JSON when it parses, else text.

  artificer skills invoke count_words --arg path=README.md --arg top=5
  artificer skills invoke count_words --args '{"path": "README.md", "top": 5}' --json`,
  },
  parameters: {
    flags: {
      arg: {
        kind: "parsed",
        parse: String,
        optional: true,
        variadic: true,
        placeholder: "NAME=VALUE",
        brief: "One argument, given as often as needed",
      },
      args: { kind: "parsed", parse: String, optional: true, placeholder: "JSON", brief: "All arguments as an object" },
      executor: executorFlag,
      runtimeDeps: runtimeDepsFlag,
      timeout: timeoutFlag,
      ...baseFlags,
    },
    aliases: { a: "arg", t: "timeout" },
    positional: { kind: "tuple", parameters: [{ brief: "The skill's name", parse: String, placeholder: "NAME" }] },
  },
  async func(flags, name) {
    const args = skillArguments(flags.arg ?? [], flags.args);
    const printer = flags.json ? undefined : createCellPrinter(this.io);
    const options = {
      timeoutMs: flags.timeout,
      signal: this.io.signal,
      onOutput: printer?.onOutput,
      onDisplay: printer?.onDisplay,
    };
    const outcome = await withSession(this.io, flags, (session) => session.invokeSkill(name, args, options));
    if (printer === undefined) writeJson(this.io, outcome.toJSON());
    printer?.finish(outcome);
    this.process.exitCode = outcomeExitCode(outcome);
  },
});
