import { readFile } from "node:fs/promises";
import { openKernelServer } from "@artificer/executors/kernel-server";
import { createSubprocessExecutor } from "@artificer/executors/subprocess";
import { createPythonKernel } from "@artificer/kernel-python";
import { createTypescriptKernel } from "@artificer/kernel-typescript";
import { ArtificerError } from "@artificer/protocol";

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
  signal?: AbortSignal | undefined;
}

/**
 * Serves kernels of both languages to hosts elsewhere, until the signal ends it: what runs inside a container that hosts use by
 * its URL.
 *
 * @throws ArtificerError `config/invalid` without a token of at least 16 characters, `config/unreadable` for its file
 */
export async function serveKernels(options: ServeKernelsOptions): Promise<void> {
  const { listen, tokenFile, maxKernels, hostEnv = process.env, signal } = options;
  const token = tokenFile === undefined ? hostEnv.ARTIFICER_KERNEL_TOKEN : await readToken(tokenFile);
  const programs = [createPythonKernel(), createTypescriptKernel()];
  const executor = createSubprocessExecutor({ programs });
  const env = { PATH: hostEnv.PATH ?? "/usr/bin:/bin", HOME: hostEnv.HOME ?? "/tmp", LANG: hostEnv.LANG ?? "C.UTF-8" };
  const bounds = maxKernels === undefined ? {} : { maxKernels };
  const server = await openKernelServer({ token, listen, executor, programs, env, ...bounds });
  try {
    options.onListening(server.url);
    await new Promise<void>((resolve) => {
      if (signal?.aborted) resolve();
      signal?.addEventListener("abort", () => resolve(), { once: true });
    });
  } finally {
    await server.close();
    await executor.close();
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
