import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { promisify } from "node:util";
import { ArtificerError, type Interpreter } from "@artificer/protocol";

const run = promisify(execFile);

/** Runs on any Python, so that one that is too old can say so. */
const question = `
import json, os, sys
paths = [sys.prefix, getattr(sys, "base_prefix", sys.prefix), sys.exec_prefix, getattr(sys, "base_exec_prefix", sys.exec_prefix), os.path.dirname(os.__file__)]
json.dump({"path": sys.executable, "version": "%d.%d.%d" % tuple(sys.version_info[:3]), "prefixes": paths}, sys.stdout)
`;

/** A version manager's shim may take a second; nothing honest takes longer than this. */
const timeoutMs = 20_000;

const known = new Map<string, Promise<Interpreter>>();

/**
 * Asks a Python program who it is. A version manager's shim thereby becomes the real binary behind it.
 * The answer is kept for as long as the program's file stays the same.
 *
 * @throws ArtificerError `kernel/interpreter-missing` when it does not start or is no Python.
 */
export async function probePython(path: string, { signal }: { signal?: AbortSignal } = {}): Promise<Interpreter> {
  signal?.throwIfAborted();
  const key = `${path}\0${statSync(path).mtimeMs}`;
  let answer = known.get(key);
  if (answer === undefined) {
    answer = ask(path);
    known.set(key, answer);
    // A failure may be mended without the file's changing: it is asked again next time.
    answer.catch(() => known.delete(key));
  }
  return answer;
}

async function ask(path: string): Promise<Interpreter> {
  try {
    const { stdout } = await run(path, ["-E", "-c", question], { timeout: timeoutMs, windowsHide: true });
    const facts = JSON.parse(stdout) as Interpreter;
    return { path: facts.path || path, version: facts.version, prefixes: [...new Set(facts.prefixes)] };
  } catch (cause) {
    throw new ArtificerError("kernel/interpreter-missing", `${path} did not answer as a Python interpreter.`, {
      details: { path, output: outputOf(cause) },
      hint: `Run \`${path} --version\` to see what is wrong, or name another interpreter by its path.`,
      cause,
    });
  }
}

function outputOf(cause: unknown): string | undefined {
  const { stderr } = cause as { stderr?: unknown };
  return typeof stderr === "string" && stderr !== "" ? stderr.slice(0, 2000) : undefined;
}
