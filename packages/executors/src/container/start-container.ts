import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { ArtificerError } from "@artificer/protocol";
import { spawnChild } from "../child-process/spawn-child.js";
import type { ContainerEngine } from "./container-engine.js";
import { removeContainers } from "./leftovers.js";
import type { KernelLink } from "./open-kernel-link.js";

/** A running container: the engine's command line that is attached to it, and the kernel's connection. */
export interface StartedContainer {
  child: ChildProcess;
  wire: Socket;
}

interface StartOptions {
  engine: ContainerEngine;
  name: string;
  args: readonly string[];
  values: Readonly<Record<string, string>>;
  link: KernelLink;
  timeoutMs: number;
}

/** The command line's own words would be taken for the kernel's. */
const quiet = ["--log-level", "fatal"];

/** How much of what the engine and the kernel printed before the connection an error tells. */
const toldBytes = 2000;

/**
 * Runs a container and waits until its kernel has connected.
 *
 * @throws ArtificerError `kernel/start-failed` with what the engine said, `kernel/start-timed-out`
 */
export async function startContainer(
  { engine, name, args, values, link, timeoutMs }: StartOptions,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<StartedContainer> {
  const child = await spawnChild([...engine.command, ...quiet, ...args], {
    cwd: "/",
    env: { ...engine.env, ...values },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let told = "";
  const listen = (chunk: Buffer) => {
    told = (told + chunk.toString()).slice(-toldBytes);
  };
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", listen);
  const ended = once(child, "close").then(async ([code]) => {
    // Such as the shell's word on an interpreter that is not there.
    throw failed(code as number | null, told + (await restOf(link.output.stderr)));
  });
  const stop = new AbortController();
  const late = delay(timeoutMs, undefined, { signal: stop.signal, ref: false }).then(() => {
    throw timedOut(timeoutMs, told);
  });
  const aborted = new Promise<never>((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true, signal: stop.signal });
  });
  for (const promise of [ended, late, aborted]) promise.catch(() => undefined);
  try {
    const wire = await Promise.race([link.connected, ended, late, aborted]);
    if (child.exitCode !== null) throw failed(child.exitCode, told);
    return { child, wire };
  } catch (error) {
    for (const stream of Object.values(link.output)) stream.destroy();
    await removeContainers(engine, [name]);
    // Withdrawn meanwhile: whatever else went wrong, the caller's own reason is what counts.
    signal?.throwIfAborted();
    throw error;
  } finally {
    stop.abort();
  }
}

/** What is left to be read, of a pipe whose other end is closed. */
async function restOf(pipe: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  pipe.on("data", (chunk: Buffer) => chunks.push(chunk));
  await Promise.race([once(pipe, "end"), delay(200)]).catch(() => undefined);
  return Buffer.concat(chunks).toString().slice(-toldBytes);
}

function failed(code: number | null, told: string): ArtificerError {
  return new ArtificerError(
    "kernel/start-failed",
    `The kernel's container ended with ${code} before its kernel had connected: ${told.trim().split("\n").at(-1) || "nothing was said"}`,
    {
      details: { code, output: told },
      hint: "See whether the image has the interpreter, and what the engine says in the details.",
    },
  );
}

function timedOut(timeoutMs: number, told: string): ArtificerError {
  return new ArtificerError(
    "kernel/start-timed-out",
    `The container's kernel did not connect within ${timeoutMs} ms.`,
    {
      details: { timeoutMs, output: told },
      hint: "The engine must run on this machine, so that a Unix-domain socket can be mounted; raise startTimeoutMs where it is slow.",
    },
  );
}
