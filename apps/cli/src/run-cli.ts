import { errorCodes, toArtificerError } from "@artificer/protocol";
import { ArgumentScannerError, run, type StricliProcess } from "@stricli/core";
import { application } from "./application.js";
import type { CliContext, CliIo } from "./context.js";
import { reportError } from "./output/report-error.js";
import { unknownCommand, usageError } from "./usage-error.js";

/** Runs one command line; answers the exit code. Never throws: what went wrong has been told. */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  const failures: unknown[] = [];
  const process: StricliProcess = {
    stdout: io.stdout,
    // Failures come to us as values, so that they read alike whoever finds them.
    stderr: { write: () => {} },
    env: { ...io.env, STRICLI_NO_COLOR: useColors(io) ? "0" : "1" },
  };
  const app = application({
    onFailure: (thrown) => void failures.push(thrown instanceof ArgumentScannerError ? usageError(thrown) : thrown),
    onUnknownCommand: (input, corrections) => void failures.push(unknownCommand(input, corrections)),
  });
  const context: CliContext = { process, io, argv };
  try {
    await run(app, helpFirst(argv), context);
  } catch (thrown) {
    failures.push(thrown);
  }
  const [failure] = failures;
  if (failure === undefined) return typeof process.exitCode === "number" ? process.exitCode : 0;
  reportError(io, failure, { json: given(argv, "--json"), debug: given(argv, "--debug") });
  return errorCodes[toArtificerError(failure).code].exit;
}

/** `artificer help skills add` is what many type for `artificer skills add --help`. */
function helpFirst(argv: readonly string[]): readonly string[] {
  return argv[0] === "help" ? [...argv.slice(1), "--help"] : argv;
}

function given(argv: readonly string[], flag: string): boolean {
  const end = argv.indexOf("--");
  return (end === -1 ? argv : argv.slice(0, end)).includes(flag);
}

function useColors(io: CliIo): boolean {
  return io.stdout.isTTY === true && !io.env.NO_COLOR;
}
