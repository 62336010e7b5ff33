import { ArtificerError } from "@artificer/protocol";
import { z } from "zod";
import { childEnvironment, type Environment } from "../cli/child-environment.js";

import { type ProgramResult, runProgram } from "../cli/run-program.js";
import { defineTool } from "../functions/index.js";
import { shellRun } from "./shell-run.js";
import type { WorkspaceContext } from "./workspace-context.js";

/** How commands are run. */
export interface TerminalOptions {
  /** The shell, by name or path; bash unless given, and sh where there is none. */
  shell?: string;
  /** Variables that commands see, besides a few harmless ones of the host. */
  env?: Readonly<Record<string, string>>;
  /** Names of the host's variables that commands see too. */
  passEnv?: readonly string[];
  /** The host's environment; that of this process unless given. */
  environment?: Environment;
}

const graceMs = 500;

/** `terminal`: a shell command, run to its end. */
export function terminalTool({ root, limits }: WorkspaceContext, options: TerminalOptions) {
  return defineTool({
    description:
      "Runs a shell command in the workspace to its end. Gives its output (stdout and stderr in order) and exit_code; a command that takes too long is ended with all it started, with exit_code 124.",
    input: z.object({
      command: z.string().min(1),
      timeout: z
        .number()
        .positive()
        .optional()
        .describe(`Seconds; ${limits.commandTimeoutMs / 1000} unless given`),
      workdir: z.string().default(".").describe("Relative to the workspace's root"),
    }),
    output: z.object({
      output: z.string(),
      exit_code: z.int(),
      timed_out: z.boolean(),
      truncated: z.boolean(),
    }),
    effect: "destructive",
    timeoutMs: limits.maxCommandTimeoutMs + 10 * graceMs,
    tags: ["shell", "workspace", "command"],
    run: async ({ command, timeout, workdir }, { signal, environment }) => {
      if (command.includes("\0"))
        throw new ArtificerError("tool/invalid-argument", "The command holds a NUL character.", {
          details: { argument: "command" },
        });
      const timeoutMs = timeout === undefined ? limits.commandTimeoutMs : timeout * 1000;
      if (timeoutMs > limits.maxCommandTimeoutMs) throw tooLong(timeoutMs, limits.maxCommandTimeoutMs);
      const { absolute: cwd } = await root.locate(workdir);
      const env = childEnvironment(options.environment ?? process.env, {
        env: { ...environment, ...options.env },
        passEnv: options.passEnv ?? [],
      });
      const clock = AbortSignal.timeout(Math.ceil(timeoutMs));
      const result = await runProgram({
        ...shellRun(command, options.shell, { path: env.PATH, folder: cwd }),
        cwd,
        env,
        stdin: undefined,
        maxOutputBytes: limits.maxOutputBytes,
        keepEnds: true,
        graceMs,
        signal: AbortSignal.any([signal, clock]),
      });
      signal.throwIfAborted();
      if (result.ending === "not-started") throw notStarted(result, workdir);
      return shown(result, { timeoutMs, maxOutputBytes: limits.maxOutputBytes });
    },
  });
}

function shown(result: ProgramResult, { timeoutMs, maxOutputBytes }: { timeoutMs: number; maxOutputBytes: number }) {
  const decode = (bytes: Uint8Array) => Buffer.from(bytes).toString("utf8");
  // What was written to stderr all the same: the shell's own word about a command that it can't read.
  const output = decode(result.stdout) + decode(result.stderr);
  const truncated = result.stdoutBytes > maxOutputBytes;
  const timedOut = result.ending === "aborted";
  const note = timedOut ? `[the command took longer than ${timeoutMs / 1000} s and was ended]` : "";
  return {
    output: note === "" || output === "" ? output + note : `${output.replace(/\n$/, "")}\n${note}`,
    exit_code: timedOut ? 124 : (result.exitCode ?? signalCode(result.signalName)),
    timed_out: timedOut,
    truncated,
  };
}

/** As shells tell it: 128 and the signal's number. */
function signalCode(name: string | null): number {
  const numbers: Record<string, number> = { SIGHUP: 1, SIGINT: 2, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 };
  return 128 + (numbers[name ?? ""] ?? 0);
}

function notStarted({ error }: ProgramResult, workdir: string): ArtificerError {
  return new ArtificerError("tool/failed", `The shell can't be started in ${workdir}: ${error?.message}.`, {
    details: { workdir, reason: error?.code ?? "" },
    hint: "Check that workdir is a folder.",
  });
}

function tooLong(timeoutMs: number, maxMs: number): ArtificerError {
  return new ArtificerError("tool/invalid-argument", `A command may take ${maxMs / 1000} s at most.`, {
    details: { argument: "timeout", given: timeoutMs / 1000, maximum: maxMs / 1000 },
  });
}
