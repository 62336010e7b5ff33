import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";
import { type KernelUser, kernelUsers } from "@artificer/executors/kernel-server";
import type { KernelProgram } from "@artificer/protocol";

/** Whom a server's kernels run as, and what keeps them from being apart, in sentences. */
export interface ChosenUsers {
  /** Undefined: the server's own user, all of them. */
  user: (() => KernelUser) | undefined;
  problems: string[];
}

/** Gives each kernel a user of its own where there are any to give, and where they can run what a kernel is. */
export async function chooseUsers(programs: readonly KernelProgram[], tokenFile?: string): Promise<ChosenUsers> {
  const user = kernelUsers();
  const why =
    user === undefined
      ? "Start it as root with the capabilities SETUID, SETGID and KILL to give each a user of its own."
      : await outOfReach(programs, user);
  if (why !== undefined) {
    const problem = `Kernels run as this user: they can read the token, and each other's files and memory. ${why}`;
    return { user: undefined, problems: [problem] };
  }
  if (tokenFile === undefined || ((await stat(tokenFile)).mode & 0o004) === 0) return { user, problems: [] };
  return { user, problems: [`Every user can read ${tokenFile}, kernels too: give it the mode 0400.`] };
}

/** What another user can't run or read, if anything. */
async function outOfReach(programs: readonly KernelProgram[], user: () => KernelUser): Promise<string | undefined> {
  for (const program of programs) {
    const interpreter = await program.findInterpreter({}).catch(() => undefined);
    // Kernels of this language don't start at all, and say why.
    if (interpreter === undefined) continue;
    try {
      const look = ["-c", '"$1" --version && ls "$2"', "sh", interpreter.path, program.folder];
      await promisify(execFile)("/bin/sh", look, { ...user(), cwd: "/", env: {} });
    } catch {
      return `A user of its own for each can't run ${interpreter.path} or read ${program.folder}: install them where all users may.`;
    }
  }
  return undefined;
}
