import { type ChildProcess, spawn } from "node:child_process";
import { OutputBuffer } from "./output-buffer.js";
import { endProcessTree, guardGroup, killGroup, releaseGroup } from "./process-tree.js";

/** One run of a program. */
export interface ProgramRun {
  /** Path of the program. */
  file: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment. */
  env: Record<string, string>;
  stdin: string | Uint8Array | undefined;
  /** Output above this ends the program. */
  maxOutputBytes: number;
  /** With it, of more output the beginning and the end are kept, and the program goes on. */
  keepEnds?: boolean;
  /** Time between SIGTERM and SIGKILL, in milliseconds. */
  graceMs: number;
  /** Ends the program and all it has started. */
  signal: AbortSignal;
}

/** How a run ended, whatever happened. */
export interface ProgramResult {
  /** `exited` also covers a program ended by a signal that was not ours. */
  ending: "exited" | "aborted" | "too-large" | "not-started";
  exitCode: number | null;
  signalName: string | null;
  stdout: Uint8Array;
  stdoutBytes: number;
  /** Beginning and end when there was much. */
  stderr: Uint8Array;
  stderrBytes: number;
  /** Set when it could not be started. */
  error: NodeJS.ErrnoException | undefined;
}

const maxStderrBytes = 65_536;
/** How long output may be held open by children once the program itself has ended, in milliseconds. */
const drainMs = 500;

/**
 * Runs a program in a process group of its own, without a shell. Nothing it started in that group outlives the call. Never
 * rejects: how it ended is in the result, with the output so far.
 */
export function runProgram(run: ProgramRun): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const tailBytes = run.keepEnds === true ? Math.floor(run.maxOutputBytes * 0.6) : 0;
    const stdout = new OutputBuffer(run.maxOutputBytes - tailBytes, tailBytes);
    const stderr = new OutputBuffer(maxStderrBytes / 2, maxStderrBytes / 2);
    // The first cause wins.
    let ending: ProgramResult["ending"] | undefined;
    let exit: { code: number | null; signal: string | null } = { code: null, signal: null };
    let tree: Promise<void> | undefined;
    let drain: NodeJS.Timeout | undefined;
    let settled = false;

    const settle = (error?: NodeJS.ErrnoException) => {
      if (settled) return;
      settled = true;
      clearTimeout(drain);
      run.signal.removeEventListener("abort", abort);
      if (child?.pid !== undefined) {
        killGroup(child.pid);
        releaseGroup(child.pid);
      }
      resolve({
        ending: ending ?? "exited",
        exitCode: exit.code,
        signalName: exit.signal,
        stdout: stdout.bytes(),
        stdoutBytes: stdout.totalBytes,
        stderr: stderr.bytes(),
        stderrBytes: stderr.totalBytes,
        error,
      });
    };
    const end = (cause: "aborted" | "too-large") => {
      if (ending !== undefined || child?.pid === undefined) return;
      ending = cause;
      tree = endProcessTree(child.pid, run.graceMs).then(() => letGo(child, settle));
    };
    const abort = () => end("aborted");

    let child: ChildProcess | undefined;
    try {
      child = start(run);
    } catch (error) {
      ending = "not-started";
      settle(error as NodeJS.ErrnoException);
      return;
    }
    if (child.pid !== undefined) guardGroup(child.pid);
    child.once("error", (error: NodeJS.ErrnoException) => {
      if (child?.pid !== undefined) return;
      ending = "not-started";
      settle(error);
    });
    child.stdout?.on("data", (chunk: Uint8Array) => {
      if (!stdout.push(chunk) && run.keepEnds !== true) end("too-large");
    });
    child.stderr?.on("data", (chunk: Uint8Array) => stderr.push(chunk));
    child.once("exit", (code, signal) => {
      exit = { code, signal };
      // It has ended by itself: what comes while its output is read to the end changes nothing about that.
      ending ??= "exited";
      // Children may hold the output open for good.
      if (tree === undefined) drain = setTimeout(() => letGo(child, settle), drainMs);
    });
    child.once("close", () => {
      if (tree === undefined) settle();
      else void tree.then(() => settle());
    });
    // A program need not read what it is given.
    child.stdin?.on("error", () => {});
    if (run.stdin !== undefined) child.stdin?.end(run.stdin);
    if (run.signal.aborted) abort();
    else run.signal.addEventListener("abort", abort);
  });
}

function start(run: ProgramRun): ChildProcess {
  return spawn(run.file, run.args, {
    cwd: run.cwd,
    env: run.env,
    stdio: [run.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    // A group of its own, so that all of it can be ended; Windows has none and would open a console.
    detached: process.platform !== "win32",
    windowsHide: true,
    shell: false,
  });
}

/** Kills what is left, reads what it had written, and no longer waits for anyone who still holds the output open. */
function letGo(child: ChildProcess | undefined, settle: () => void): void {
  if (child?.pid !== undefined) killGroup(child.pid);
  setTimeout(() => {
    child?.stdout?.destroy();
    child?.stderr?.destroy();
    settle();
  }, drainMs);
}
