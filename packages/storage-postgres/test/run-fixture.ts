import { type ChildProcess, execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const path = (fixture: string) => fileURLToPath(new URL(`fixtures/${fixture}.mjs`, import.meta.url));

/** Runs a program of test/fixtures to its end, perhaps behind another command. @returns what it wrote to stdout. */
export async function runFixture(fixture: string, args: string[], before: string[] = []): Promise<string> {
  const [command = process.execPath, ...rest] = [...before, process.execPath, path(fixture), ...args];
  const { stdout } = await promisify(execFile)(command, rest);
  return stdout;
}

export function startFixture(fixture: string, args: string[]): ChildProcess {
  return spawn(process.execPath, [path(fixture), ...args], { stdio: ["ignore", "pipe", "inherit"] });
}
