import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";

/** What a program said before it ended, or was ended. */
export interface ProgramAnswer {
  stdout: string;
  stderr: string;
  /** How it came to nothing, in words that follow its path; undefined when it ended by itself with status 0. */
  failure: string | undefined;
  /** Whether its time was up. */
  late: boolean;
}

/** No honest answer is longer. */
const maxOutputBytes = 64 * 1024;
/** How long what it wrote may still arrive after its end. */
const drainMs = 200;

/** Runs a program that may be anything, in a group of its own: whatever it does, it has ended with all it started when this resolves. */
export function askProgram(
  path: string,
  args: readonly string[],
  { timeoutMs, env, signal }: { timeoutMs: number; env?: Readonly<Record<string, string>>; signal?: AbortSignal },
): Promise<ProgramAnswer> {
  const grouped = process.platform !== "win32";
  return new Promise((resolve) => {
    const answer: ProgramAnswer = { stdout: "", stderr: "", failure: undefined, late: false };
    const couldNot = (cause: unknown) =>
      `could not be started (${cause instanceof Error ? cause.message : String(cause)})`;
    let child: ChildProcessByStdio<null, Readable, Readable>;
    try {
      child = spawn(path, args, {
        stdio: ["ignore", "pipe", "pipe"],
        detached: grouped,
        windowsHide: true,
        ...(env === undefined ? {} : { env: { ...env } }),
      });
    } catch (cause) {
      // A path with a NUL in it, say.
      resolve({ ...answer, failure: couldNot(cause) });
      return;
    }
    const endAll = () => {
      try {
        if (grouped && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
        else child.kill("SIGKILL");
      } catch {
        // Nothing of it is left.
      }
    };
    const stop = (failure: string, late = false) => {
      answer.failure ??= failure;
      answer.late ||= late;
      endAll();
    };
    const timer = setTimeout(() => stop(`did not answer within ${timeoutMs} ms`, true), timeoutMs);
    const onAbort = () => stop("was given up");
    signal?.addEventListener("abort", onAbort, { once: true });
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(answer);
    };
    let bytes = 0;
    for (const stream of ["stdout", "stderr"] as const)
      child[stream].setEncoding("utf8").on("data", (text: string) => {
        bytes += text.length;
        if (bytes > maxOutputBytes) stop("wrote without end");
        else answer[stream] += text;
      });
    child.once("error", (error) => {
      answer.failure = couldNot(error);
      finish();
    });
    child.once("close", finish);
    child.once("exit", (code, signal) => {
      if (code !== 0) answer.failure ??= signal === null ? `ended with status ${code}` : `was ended by ${signal}`;
      // What it left running holds its pipes open.
      endAll();
      setTimeout(finish, drainMs);
    });
  });
}
