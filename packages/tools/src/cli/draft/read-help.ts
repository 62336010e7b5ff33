import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childEnvironment, type Environment } from "../child-environment.js";
import { runProgram } from "../run-program.js";

/** A program that is asked for its help. */
export interface HelpRequest {
  /** Path of the program. */
  file: string;
  args: readonly string[];
  environment: Environment;
  /** Bound on one run, in milliseconds. */
  timeoutMs: number;
  signal: AbortSignal;
}

const maxHelpBytes = 2 ** 20;
const graceMs = 200;

/** Plain text, in English, without a pager. */
const plain = {
  PAGER: "cat",
  MANPAGER: "cat",
  GIT_PAGER: "cat",
  MANWIDTH: "200",
  COLUMNS: "200",
  NO_COLOR: "1",
  TERM: "dumb",
  LC_ALL: "C.UTF-8",
  LANGUAGE: "en",
};

/** What a program prints when asked: run without a shell, in an empty folder, nothing on its input, ended when its time is up. */
export async function readHelp({ file, args, environment, timeoutMs, signal }: HelpRequest): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), "artificer-help-"));
  try {
    const { stdout, stderr } = await runProgram({
      file,
      args,
      cwd,
      env: childEnvironment(environment, { env: plain }),
      stdin: undefined,
      maxOutputBytes: maxHelpBytes,
      graceMs,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const said = new TextDecoder().decode(stdout);
    // Usage often goes where errors go.
    return said.trim() === "" ? new TextDecoder().decode(stderr) : said;
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}
