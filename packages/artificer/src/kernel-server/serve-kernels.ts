import { readFile } from "node:fs/promises";
import { openKernelServer } from "@artificer/executors/kernel-server";
import { createSubprocessExecutor } from "@artificer/executors/subprocess";
import { createPythonKernel } from "@artificer/kernel-python";
import { createTypescriptKernel } from "@artificer/kernel-typescript";
import { ArtificerError } from "@artificer/protocol";
import { chooseUsers } from "./choose-users.js";

export interface ServeKernelsOptions {
  /** `host:port`, or `unix:PATH`. */
  listen: string;
  /** Holds the token. Default: the variable ARTIFICER_KERNEL_TOKEN. */
  tokenFile?: string | undefined;
  /** Kernels at once. Default 64. */
  maxKernels?: number | undefined;
  hostEnv?: Readonly<Record<string, string | undefined>>;
  /** Told the address that hosts reach it by. */
  onListening(url: string): void;
  /** Told, in a sentence, where a kernel could read the token or what other kernels keep. */
  onProblem?(problem: string): void;
  signal?: AbortSignal | undefined;
}

/**
 * Serves kernels of both languages to hosts elsewhere, until the signal ends it: what runs inside a container that hosts use by
 * its URL. Started as root with the rights to become others, it gives each kernel a user of its own.
 *
 * @throws ArtificerError `config/invalid` without a token of at least 16 characters, `config/unreadable` for its file
 */
export async function serveKernels(options: ServeKernelsOptions): Promise<void> {
  const { listen, tokenFile, maxKernels, hostEnv = process.env, signal } = options;
  const token = tokenFile === undefined ? hostEnv.ARTIFICER_KERNEL_TOKEN : await readToken(tokenFile);
  const programs = [createPythonKernel(), createTypescriptKernel()];
  const { user, problems } = await chooseUsers(programs, tokenFile);
  const apart = user !== undefined;
  const executor = createSubprocessExecutor({ programs, ...(apart ? { user } : {}) });
  // The home of who runs the server is not theirs.
  const home = apart ? "/tmp" : (hostEnv.HOME ?? "/tmp");
  const env = { PATH: hostEnv.PATH ?? "/usr/bin:/bin", HOME: home, LANG: hostEnv.LANG ?? "C.UTF-8" };
  const bounds = maxKernels === undefined ? {} : { maxKernels };
  const server = await openKernelServer({ token, listen, executor, programs, env, apart, ...bounds });
  // What a kernel writes, in /tmp too, is its own to read.
  const umask = apart ? process.umask(0o077) : undefined;
  try {
    for (const problem of problems) options.onProblem?.(problem);
    options.onListening(server.url);
    await new Promise<void>((resolve) => {
      if (signal?.aborted) resolve();
      signal?.addEventListener("abort", () => resolve(), { once: true });
    });
  } finally {
    await server.close();
    await executor.close();
    if (umask !== undefined) process.umask(umask);
  }
}

async function readToken(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new ArtificerError("config/unreadable", `The token's file ${file} can't be read.`, {
      details: { file },
      hint: "Name a file that this user can read, or leave it out and set ARTIFICER_KERNEL_TOKEN.",
      cause,
    });
  }
}
