import { spawn } from "node:child_process";

const maxOutputChars = 200_000;

export interface RunScriptOptions {
  env: Record<string, string>;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** Runs a Python script to its end and gives its status and what it printed; ended with all that it started when `signal` says so. */
export async function runScript(
  python: string,
  script: string,
  input: unknown,
  { env, timeoutMs, signal }: RunScriptOptions,
): Promise<{ status: number | null; output: string; timedOut: boolean }> {
  signal?.throwIfAborted();
  // A group of its own, so that pip and the compilers it starts can be ended together.
  const child = spawn(python, ["-I", "-c", script], { env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-maxOutputChars);
    });
  }
  child.stdin.on("error", () => {});
  child.stdin.end(input === undefined ? "" : JSON.stringify(input));
  let timedOut = false;
  const end = () => {
    try {
      process.kill(-child.pid!, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  };
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, timeoutMs);
  signal?.addEventListener("abort", end, { once: true });
  try {
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve(code));
    });
    signal?.throwIfAborted();
    return { status, output, timedOut };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}
