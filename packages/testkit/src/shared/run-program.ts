import { type ChildProcess, execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ProgramTarget } from "./shared-storage.js";

const path = (program: string) => fileURLToPath(new URL(`./programs/${program}.js`, import.meta.url));

/** Runs a program of this folder to its end. */
export async function runProgram(program: string, target: ProgramTarget, args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [path(program), JSON.stringify(target), ...args]);
}

export function startProgram(
  program: string,
  target: ProgramTarget,
  args: string[],
  input: "ignore" | "pipe" = "ignore",
): ChildProcess {
  const command = [path(program), JSON.stringify(target), ...args];
  return spawn(process.execPath, command, { stdio: [input, "pipe", "inherit"] });
}
