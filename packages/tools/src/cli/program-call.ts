import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ArtificerError, type Value } from "@artificer/protocol";
import { redactError, redactValue } from "../remote/redact-value.js";
import type { ResolveSecret } from "../remote/secret-value.js";
import type { CommandLine } from "./build-command.js";
import type { CallScope } from "./call-scope.js";
import type { Environment } from "./child-environment.js";
import type { CliDefinition } from "./definition.js";
import { findProgram } from "./find-program.js";
import { parseOutput } from "./parse-output.js";
import type { CliToolPlan } from "./plan-tools.js";
import { programEnvironment } from "./program-environment.js";
import { type ProgramResult, runProgram } from "./run-program.js";

/** All that a program's calls share. */
export interface ProgramSettings {
  definition: CliDefinition;
  /** The folder of the definition. */
  folder: string;
  cwd: string;
  environment: Environment;
  resolveSecret: ResolveSecret | undefined;
}

/** The call at hand. */
export interface ProgramCall {
  path: string;
  scope: CallScope;
}

const maxShownBytes = 4096;

/** The program's file, and the words that always stand behind it. */
function programOf({ definition, folder, environment }: ProgramSettings): {
  file: string | undefined;
  words: string[];
  command: string;
} {
  const [command = "", ...words] = [definition.command ?? definition.name].flat();
  const own = definition.env?.PATH;
  const path = typeof own === "string" ? own : environment.PATH;
  return { file: findProgram(command, { path, folder }), words, command };
}

/** The error of a program that isn't installed; undefined when it is. */
export function missingProgram(settings: ProgramSettings): ArtificerError | undefined {
  const { file, command } = programOf(settings);
  if (file !== undefined) return undefined;
  return new ArtificerError("tool/program-missing", `The program ${JSON.stringify(command)} is not installed here.`, {
    details: { toolkit: settings.definition.name, program: command },
    hint: command.includes("/")
      ? "Make the file exist and executable, or mend `command` in the tool's definition."
      : `Install ${command} so that it is found in PATH, or name its file in \`command\` of the tool's definition.`,
  });
}

/** Runs tools of one program. How a call ended goes into its error, with what the program had written. */
export function createProgramCall(settings: ProgramSettings) {
  const { definition } = settings;
  const cwd = definition.cwd === undefined ? settings.cwd : resolve(settings.folder, definition.cwd);
  return async (plan: CliToolPlan, { args, stdin }: CommandLine, call: ProgramCall): Promise<unknown> => {
    const { file, words } = programOf(settings);
    if (call.scope.signal.aborted) throw aborted(plan, call, { tool: call.path });
    if (file === undefined) throw missingProgram(settings);
    const { env, redactor } = await programEnvironment(settings);
    const run = async () => {
      const { maxOutputBytes, killGrace } = definition;
      const { signal } = call.scope;
      const graceMs = killGrace * 1000;
      const result = await runProgram({
        file,
        args: [...words, ...args],
        cwd,
        env,
        stdin,
        maxOutputBytes,
        graceMs,
        signal,
      });
      return answer(result, { plan, call, file });
    };
    if (redactor === undefined) return run();
    try {
      return redactValue((await run()) as Value, redactor);
    } catch (thrown) {
      throw ArtificerError.is(thrown) ? redactError(thrown, redactor) : thrown;
    }
  };

  function answer(
    result: ProgramResult,
    { plan, call, file }: { plan: CliToolPlan; call: ProgramCall; file: string },
  ): unknown {
    const told = { tool: call.path, ...outputDetails(result) };
    switch (result.ending) {
      case "not-started":
        throw notStarted(result, { file, cwd, path: call.path });
      case "too-large":
        throw new ArtificerError(
          "tool/result-too-large",
          `${call.path} wrote more than ${definition.maxOutputBytes} bytes and was ended.`,
          {
            details: { ...told, maxOutputBytes: definition.maxOutputBytes },
            hint: "Ask for less, or raise `maxOutputBytes` in the tool's definition.",
          },
        );
      case "aborted":
        throw aborted(plan, call, told);
      case "exited":
        if (result.exitCode !== null && plan.successExitCodes.includes(result.exitCode)) {
          return parseOutput(result.stdout, plan.output, call.path);
        }
        throw failedExit(result, call.path, told);
    }
  }
}

type Details = Record<string, string | number | boolean | null>;

function outputDetails(result: ProgramResult): Details {
  return {
    exitCode: result.exitCode,
    signal: result.signalName,
    stdout: head(result.stdout),
    stdoutBytes: result.stdoutBytes,
    stderr: headAndTail(result.stderr),
    stderrBytes: result.stderrBytes,
  };
}

function aborted(plan: CliToolPlan, call: ProgramCall, told: Details): ArtificerError {
  if (call.scope.ending === "cancelled") {
    return new ArtificerError("tool/cancelled", `${call.path} was cancelled, and its program ended.`, {
      details: told,
    });
  }
  const message = `${call.path} did not end within ${plan.timeoutMs / 1000} s: its program and all it had started were ended.`;
  return new ArtificerError("tool/timed-out", message, {
    details: { ...told, timeoutMs: plan.timeoutMs },
    hint: "Ask for less at once, or raise `timeout` (in seconds) in the tool's definition.",
  });
}

function failedExit(result: ProgramResult, path: string, told: Details): ArtificerError {
  const how =
    result.signalName === null ? `ended with exit code ${result.exitCode}` : `was ended by ${result.signalName}`;
  const said = lastLines(result.stderr) || lastLines(result.stdout);
  return new ArtificerError("tool/exit-code", `${path} ${how}${said === "" ? "." : `: ${said}`}`, { details: told });
}

/** Spawning reports a missing folder, a missing interpreter of a script, and a file that can't be run in much the same way. */
function notStarted(
  { error }: ProgramResult,
  { file, cwd, path }: { file: string; cwd: string; path: string },
): ArtificerError {
  const code = error?.code;
  const details = { tool: path, program: file, cwd, ...(code === undefined ? {} : { errno: code }) };
  if (code === "E2BIG") {
    return new ArtificerError("tool/invalid-argument", `${path}: the arguments are too long for a command line.`, {
      details,
      hint: "Hand long text over through `stdin`, or in a file.",
    });
  }
  if (!existsSync(cwd)) {
    return new ArtificerError("tool/failed", `${path}: the folder ${cwd} that it is to run in does not exist.`, {
      details,
      hint: "Make the folder, or mend `cwd` in the tool's definition.",
    });
  }
  if (code === "ENOENT" || code === "EACCES" || code === "ENOEXEC") {
    return new ArtificerError(
      "tool/program-missing",
      `${path}: ${file} can't be run (${code}); the interpreter that its first line names may be missing.`,
      {
        details,
        hint: "Run it by hand to see what it lacks.",
        cause: error,
      },
    );
  }
  return new ArtificerError("tool/failed", `${path}: ${file} could not be started: ${error?.message ?? "unknown"}.`, {
    details,
    cause: error,
  });
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8").decode(bytes);
}

function head(bytes: Uint8Array): string {
  return decode(bytes.subarray(0, maxShownBytes));
}

function headAndTail(bytes: Uint8Array): string {
  if (bytes.byteLength <= maxShownBytes) return decode(bytes);
  const half = maxShownBytes / 2;
  return `${decode(bytes.subarray(0, half))}\n[…]\n${decode(bytes.subarray(-half))}`;
}

/** The last few lines that say something, shortened to fit a message. */
function lastLines(bytes: Uint8Array): string {
  const lines = decode(bytes.subarray(-maxShownBytes))
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const text = lines.slice(-3).join(" / ");
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
