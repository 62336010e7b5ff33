import { execFile } from "node:child_process";
import type { Usability } from "@artificer/protocol";

/** What an engine's command line answered. */
export interface EngineAnswer {
  code: number;
  stdout: string;
  stderr: string;
}

/** A container engine, through its command line: Podman's and Docker's agree in all that is used here. */
export interface ContainerEngine {
  command: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  isPodman: boolean;
  version: string;
  ask(args: readonly string[], options?: { timeoutMs?: number }): Promise<EngineAnswer>;
}

interface FindEngineOptions {
  command?: readonly string[] | undefined;
  env?: Readonly<Record<string, string>> | undefined;
}

/** The engine named, or the first that answers. */
export async function findEngine(
  options: FindEngineOptions,
): Promise<ContainerEngine | (Usability & { usable: false })> {
  const env = { ...process.env, ...options.env };
  const commands = options.command === undefined ? [["podman"], ["docker"]] : [options.command];
  const reasons: string[] = [];
  for (const command of commands) {
    const ask = (args: readonly string[], { timeoutMs = 60_000 } = {}) =>
      run([...command, ...args], { env, timeoutMs });
    const { code, stdout, stderr } = await ask(["version", "--format", "{{.Client.Version}} {{.Server}}"]).then(
      // Podman without a service has no server, and needs none.
      async (answer) => (answer.code === 0 ? answer : ask(["version", "--format", "{{.Client.Version}}"])),
    );
    const version = stdout.trim().split(" ")[0] ?? "";
    const answersItself = code === 0 && version !== "";
    const ready = answersItself ? await ask(["ps", "--quiet"]) : undefined;
    if (ready?.code === 0) {
      const isPodman = /podman/i.test((await ask(["--version"])).stdout);
      return { command, env, isPodman, version, ask };
    }
    reasons.push(`${command[0]}: ${lastLine(ready?.stderr ?? stderr)}`);
  }
  return {
    usable: false,
    reason: `No container engine answers: ${reasons.join("; ")}.`,
    hint: "Install Podman, or start Docker and let this user use it; `podman info` or `docker info` tell what they lack.",
  };
}

function run(
  command: readonly string[],
  options: { env: NodeJS.ProcessEnv; timeoutMs: number },
): Promise<EngineAnswer> {
  const [file = "", ...args] = command;
  return new Promise((resolve) => {
    const { env, timeoutMs } = options;
    execFile(file, args, { env, timeout: timeoutMs, killSignal: "SIGKILL", cwd: "/" }, (error, stdout, stderr) => {
      const failure = error as (Error & { code?: number | string }) | null;
      const code = failure === null ? 0 : typeof failure.code === "number" ? failure.code : -1;
      const missing = failure?.code === "ENOENT" ? "is not on this machine's PATH" : failure?.message;
      resolve({ code, stdout, stderr: stderr.trim() === "" && code === -1 ? (missing ?? "") : stderr });
    });
  });
}

/** The last line says what is wrong; those before it are warnings. */
function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.replace(/\.$/, "") || "it did not answer";
}
