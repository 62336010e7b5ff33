import { spawn } from "node:child_process";
import { constants } from "node:os";
import { repositoryRoot } from "./repository-root.mjs";

/**
 * Runs a program to its end, without stdin. Gives `{ code, output }`; never throws for a failing program.
 * `capture` keeps what it wrote (both streams, in order of arrival) instead of showing it.
 */
export function runCommand([program, ...args], { cwd = repositoryRoot, env = {}, capture = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", ...env },
      stdio: ["ignore", capture ? "pipe" : "inherit", capture ? "pipe" : "inherit"],
      // npm and npx are command files on Windows, which only a shell can start.
      shell: process.platform === "win32",
    });
    const chunks = [];
    child.stdout?.on("data", (chunk) => chunks.push(chunk));
    child.stderr?.on("data", (chunk) => chunks.push(chunk));
    const finish = (code, problem = "") => resolve({ code, output: Buffer.concat(chunks).toString() + problem });
    child.once("error", (error) => finish(127, `${program}: ${error.message}\n`));
    child.once("close", (code, signal) => finish(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}
