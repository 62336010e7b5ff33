import childProcess, { type ChildProcess } from "node:child_process";
import type { ThreadStart } from "@artificer/protocol";
import { outputDoubt } from "../output.js";
import { refused } from "./refused.js";

type Call = (...args: unknown[]) => unknown;

/** A child that shared the host's streams would print among the host's own output. */
function checkStreams(stdio: unknown): void {
  const entries = Array.isArray(stdio) ? stdio : [stdio];
  for (const entry of entries) {
    const fd = typeof entry === "object" && entry !== null ? (entry as { fd?: unknown }).fd : entry;
    if (fd !== "inherit" && !(typeof fd === "number" && fd <= 2)) continue;
    throw refused("streams for a child process to inherit", 'Leave stdio at "pipe" and read what it gives');
  }
}

/**
 * Children that are not waited for are told to the host, which ends them with the kernel. To wait for one in native code is
 * refused: a thread in there can't be interrupted, and not ended either.
 */
export function guardProcesses({ output }: ThreadStart): void {
  const all = childProcess as unknown as Record<string, Call>;
  for (const name of ["spawnSync", "execSync", "execFileSync"]) {
    all[name] = () => {
      throw refused(`${name}, which could not be interrupted`, `Use await with ${name.slice(0, -4)}`);
    };
  }
  for (const name of ["spawn", "fork", "exec", "execFile"]) {
    const native = all[name]!;
    const guarded = (...args: unknown[]) => {
      const options = args.find((arg, index) => index > 0 && typeof arg === "object" && arg && !Array.isArray(arg));
      const { stdio, silent } = (options ?? {}) as { stdio?: unknown; silent?: boolean };
      if (name === "spawn") checkStreams(stdio);
      if (name === "fork" && silent !== true) checkStreams(stdio ?? "inherit");
      const child = native(...args) as ChildProcess;
      const { pid } = child;
      if (pid !== undefined) {
        output.postMessage({ child: pid, running: true });
        child.once("exit", () => output.postMessage({ child: pid, running: false }));
      }
      return child;
    };
    Object.defineProperties(guarded, Object.getOwnPropertyDescriptors(native));
    all[name] = guarded;
  }
  const { kill } = process;
  Object.assign(process, {
    kill(pid: number, signal?: string | number) {
      if (signal === 0 || (pid !== process.pid && pid > 0)) return kill.call(process, pid, signal);
      throw refused("process to signal", "Name the id of a child process");
    },
    abort() {
      throw refused("process to abort", "Throw an error");
    },
    chdir() {
      throw refused("working folder of its own", "Use whole paths");
    },
    _rawDebug(...args: unknown[]) {
      outputDoubt.wrote = true;
      console.error(...args);
    },
  });
}
