import { execFile } from "node:child_process";
import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { ArtificerError, type Interpreter } from "@artificer/protocol";

const run = promisify(execFile);

/** The oldest Node that the program inside the kernel runs on. */
export const oldestNode = [20, 11] as const;

/**
 * Finds the Node to run kernels with: the given path, else the one that runs this process.
 *
 * @throws ArtificerError `kernel/interpreter-missing`, `kernel/interpreter-too-old`
 */
export async function findNode(options: { path?: string; signal?: AbortSignal } = {}): Promise<Interpreter> {
  const path = options.path ?? process.execPath;
  const version = path === process.execPath ? process.versions.node : await askVersion(path, options.signal);
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
    throw new ArtificerError("kernel/interpreter-too-old", `${path} is Node ${version}.`, {
      details: { path, version, oldest: oldestNode.join(".") },
      hint: `TypeScript kernels need Node ${oldestNode.join(".")} or newer.`,
    });
  }
  return { path, version, prefixes: [dirname(dirname(await realpath(path).catch(() => path)))] };
}

async function askVersion(path: string, signal: AbortSignal | undefined): Promise<string> {
  try {
    // Only what Node itself reads from the environment could keep it from telling its version.
    const { stdout } = await run(path, ["-p", "process.versions.node"], { signal, timeout: 20_000, env: {} });
    const version = stdout.trim();
    if (/^\d+\.\d+\.\d+/.test(version)) return version;
    throw new Error(`it printed ${JSON.stringify(version.slice(0, 80))}`);
  } catch (cause) {
    throw new ArtificerError("kernel/interpreter-missing", `${path} is no Node that can be run.`, {
      cause,
      details: { path, reason: cause instanceof Error ? cause.message : String(cause) },
      hint: "Give the path of a node binary, or leave it out to use the one that runs Artificer.",
    });
  }
}
