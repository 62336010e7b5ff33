import { statSync } from "node:fs";
import { ArtificerError, type Interpreter } from "@artificer/protocol";
import { askProgram, type ProgramAnswer } from "./ask-program.js";

/** Runs on any Python, so that one that is too old can say so. */
const question = `
import json, os, sys
paths = [sys.prefix, getattr(sys, "base_prefix", sys.prefix), sys.exec_prefix, getattr(sys, "base_exec_prefix", sys.exec_prefix), os.path.dirname(os.__file__)]
try:
    import _imp
    abi = _imp.extension_suffixes()[0].strip(".").rsplit(".", 1)[0]
except Exception:
    abi = ""
json.dump({"path": sys.executable, "version": "%d.%d.%d" % tuple(sys.version_info[:3]), "prefixes": paths, "abi": abi}, sys.stdout)
`;

/** A version manager's shim may take a second; nothing honest takes longer than this. */
export const probeTimeoutMs = 20_000;

const known = new Map<string, Promise<Interpreter>>();

/**
 * Asks a Python program who it is. A version manager's shim thereby becomes the real binary behind it.
 * The answer is kept for as long as the program's file stays the same.
 *
 * @throws ArtificerError `kernel/interpreter-missing` when it does not start or is no Python, `kernel/start-timed-out` when it does not answer.
 */
export async function probePython(
  path: string,
  { timeoutMs = probeTimeoutMs, signal }: { timeoutMs?: number | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Interpreter> {
  signal?.throwIfAborted();
  const key = `${path}\0${statSync(path).mtimeMs}`;
  let answer = known.get(key);
  if (answer === undefined) {
    answer = ask(path, timeoutMs);
    known.set(key, answer);
    // A failure may be mended without the file's changing: it is asked again next time.
    answer.catch(() => known.delete(key));
  }
  return unlessAborted(answer, signal);
}

/** Others may wait for the same answer, so whoever gives up leaves the question running. */
function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return answer;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  return Promise.race([answer, aborted]).finally(() => signal.removeEventListener("abort", onAbort));
}

async function ask(path: string, timeoutMs: number): Promise<Interpreter> {
  const answer = await askProgram(path, ["-E", "-c", question], { timeoutMs });
  const facts = answer.failure === undefined ? readFacts(answer.stdout) : undefined;
  if (facts === undefined) throw noPython(path, answer);
  const { version, prefixes, abi } = facts;
  return { path: facts.path || path, version, prefixes: [...new Set(prefixes)], ...(abi ? { abi } : {}) };
}

function readFacts(text: string): Interpreter | undefined {
  try {
    const { path, version, prefixes, abi } = JSON.parse(text) as Interpreter;
    const isWhole =
      typeof version === "string" &&
      /^\d+\.\d+/.test(version) &&
      Array.isArray(prefixes) &&
      prefixes.every((it) => typeof it === "string");
    if (!isWhole) return undefined;
    return { path: typeof path === "string" ? path : "", version, prefixes, ...(typeof abi === "string" && { abi }) };
  } catch {
    return undefined;
  }
}

function noPython(path: string, { stdout, stderr, failure, late }: ProgramAnswer): ArtificerError {
  const said = (stderr.trim() || stdout.trim()).slice(0, 2000);
  const what = failure === undefined ? "it answered something else" : `it ${failure}`;
  const quoted = said === "" ? "" : `, saying ${JSON.stringify(said.split("\n").at(-1)?.slice(0, 200))}`;
  return new ArtificerError(
    late ? "kernel/start-timed-out" : "kernel/interpreter-missing",
    `${path} did not answer as a Python interpreter: ${what}${quoted}.`,
    {
      details: { path, output: said === "" ? undefined : said },
      hint: `Run \`${path} --version\` to see what is wrong, or name another interpreter by its path.`,
    },
  );
}
