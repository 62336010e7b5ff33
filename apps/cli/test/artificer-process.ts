import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The real binary, as people start it. */
export const binary = fileURLToPath(new URL("../bin/artificer.mjs", import.meta.url));

export interface Finished {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface StartOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** Written to standard input, which is then closed; `null` leaves it open. */
  stdin?: string | null;
}

/** A started `artificer`, with what it has written so far. */
export interface Started {
  child: ChildProcess;
  finished: Promise<Finished>;
  /** Settles once stdout or stderr holds `text`. Rejects when the process ends before. */
  told(text: string): Promise<void>;
}

/** Starts the binary. */
export function start(args: readonly string[], options: StartOptions = {}): Started {
  const { ARTIFICER_BASE: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [binary, ...args], {
    cwd: options.cwd,
    env: { ...inherited, ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const written = { stdout: "", stderr: "" };
  const watchers = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      written[name] += text;
      for (const watcher of watchers) watcher();
    });
  }
  child.stdin.on("error", () => {});
  if (options.stdin !== null) child.stdin.end(options.stdin ?? "");
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode, signal) => resolve({ exitCode, signal, ...written }));
  });
  return {
    child,
    finished,
    told: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!`${written.stdout}\n${written.stderr}`.includes(text)) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
        void finished.then((end) => reject(new Error(`It ended before it told ${text}: ${JSON.stringify(end)}`)));
      }),
  };
}

/** Runs the binary to its end. */
export function artificer(args: readonly string[], options?: StartOptions): Promise<Finished> {
  return start(args, options).finished;
}

/** A folder for one test file; `remove` takes it away. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "artificer-cli-")));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
