import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { ArtificerError, type Interpreter } from "@artificer/protocol";
import { askProgram } from "./ask-program.js";

/** Nothing honest takes longer. */
const probeTimeoutMs = 20_000;

/** The oldest Node that the program inside the kernel runs on. */
export const oldestNode = [20, 11] as const;

/**
 * Finds the Node to run kernels with: the given path, else the one that runs this process.
 *
 * @throws ArtificerError `kernel/interpreter-missing`, `kernel/interpreter-too-old`, `kernel/start-timed-out`
 */
export async function findNode(
  options: { path?: string; timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<Interpreter> {
  const path = options.path ?? process.execPath;
  const version = path === process.execPath ? process.versions.node : await askVersion(path, options);
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
    throw new ArtificerError("kernel/interpreter-too-old", `${path} is Node ${version}.`, {
      details: { path, version, oldest: oldestNode.join(".") },
      hint: `TypeScript kernels need Node ${oldestNode.join(".")} or newer.`,
    });
  }
  return { path, version, prefixes: [dirname(dirname(await realpath(path).catch(() => path)))] };
}

async function askVersion(
  path: string,
  { timeoutMs = probeTimeoutMs, signal }: { timeoutMs?: number; signal?: AbortSignal },
): Promise<string> {
  signal?.throwIfAborted();
  // Only what Node itself reads from the environment could keep it from telling its version.
  const answer = await askProgram(path, ["-p", "process.versions.node"], { timeoutMs, env: {}, signal });
  signal?.throwIfAborted();
  const version = answer.stdout.trim();
  if (answer.failure === undefined && /^\d+\.\d+\.\d+$/.test(version)) return version;
  const said = (answer.stderr.trim() || version).slice(0, 2000);
  const what = answer.failure === undefined ? "it answered something else" : `it ${answer.failure}`;
  const quoted = said === "" ? "" : `, saying ${JSON.stringify(said.split("\n").at(-1)?.slice(0, 200))}`;
  throw new ArtificerError(
    answer.late ? "kernel/start-timed-out" : "kernel/interpreter-missing",
    `${path} is no Node that can be run: ${what}${quoted}.`,
    {
      details: { path, reason: what, output: said === "" ? undefined : said },
      hint: "Give the path of a node binary, or leave it out to use the one that runs Artificer.",
    },
  );
}
