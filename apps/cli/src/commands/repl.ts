import type { Language } from "@artificer/protocol";
import { buildCommand } from "@stricli/core";
import type { CliContext } from "../context.js";
import { repl } from "../repl/repl.js";
import {
  baseFlags,
  executorFlag,
  languageFlag,
  runtimeDepsFlag,
  type SessionFlags,
  timeoutFlag,
} from "../shared-flags.js";
import { sessionBase, storageFlags } from "../storage-flags.js";
import { withSession } from "../with-session.js";

interface ReplFlags extends Omit<SessionFlags, "json"> {
  language: Language;
  timeout?: number;
}

export const replCommand = buildCommand<ReplFlags, [], CliContext>({
  docs: {
    brief: "Try code cell by cell",
    fullDescription: `Reads cells from the terminal or a pipe and runs them in one session. Ctrl-C interrupts the cell that runs and keeps
the variables; twice at an empty prompt, or Ctrl-D, leaves. :help lists the commands, :save-skill keeps a cell.

  artificer repl
  artificer repl --language typescript --base ./.artificer`,
  },
  parameters: {
    flags: {
      language: { kind: "enum", values: languageFlag.values, default: "python", brief: "Language to begin with" },
      executor: executorFlag,
      runtimeDeps: runtimeDepsFlag,
      timeout: timeoutFlag,
      base: baseFlags.base,
      ...storageFlags,
      debug: baseFlags.debug,
    },
    aliases: { l: "language", t: "timeout" },
  },
  async func({ language, timeout, debug, ...flags }) {
    const options = { base: sessionBase(this.io, flags, { create: true }), language, timeoutMs: timeout, debug };
    await withSession(this.io, flags, (session) => repl(session, this.io, options), {
      create: true,
      longLived: true,
    });
  },
});
