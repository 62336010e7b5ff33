import { parse } from "node:path";
import { ArtificerError, type KernelSpec } from "@artificer/protocol";
import { passedEnvironment } from "../kernel/kernel-environment.js";
import type { KernelPool, KernelPoolOptions } from "./kernel-pool.js";
import { createShelf, type Shelf } from "./shelf.js";

/** From a hand-over to the start of the next spare: the first cell should not have to share the processor with it. */
const defaultRefillDelayMs = 25;
const defaultSpareTimeoutMs = 1_800_000;

/**
 * An executor that keeps kernels started beforehand, so that a session's first cell need not wait for a process and an
 * interpreter. Spares are kept apart by command line and limits; a session's folder and environment are handed over at its
 * start. Where a kernel can't take these over (`handOver` of executor and program), it starts as it would without a pool.
 * Closing it ends its spares and closes the executor.
 */
export function createKernelPool(options: KernelPoolOptions): KernelPool {
  const { executor, size = 1 } = options;
  const { refillDelayMs = defaultRefillDelayMs, spareTimeoutMs = defaultSpareTimeoutMs } = options;
  if (!Number.isInteger(size) || size < 0 || size > 64) {
    throw new ArtificerError("config/invalid", `A pool's size is a whole number from 0 to 64, not ${size}.`);
  }
  const shelves = new Map<string, Shelf>();
  let handedOver = 0;
  let startedCold = 0;
  let closed = false;

  async function shelfFor(spec: KernelSpec, signal?: AbortSignal): Promise<Shelf | undefined> {
    if (size === 0 || executor.capabilities.handOver !== true || spec.program.handOver !== true) return undefined;
    const interpreter = await spec.program.findInterpreter({
      path: spec.interpreter,
      timeoutMs: spec.startTimeoutMs,
      signal,
    });
    const command = spec.program.command(interpreter, { folder: spec.program.folder, wire: "" });
    const key = JSON.stringify([command, Object.entries(spec.limits).sort()]);
    let shelf = shelves.get(key);
    if (shelf === undefined && !closed) {
      const { program, limits } = spec;
      const cwd = parse(process.cwd()).root;
      const env = passedEnvironment(options.hostEnv ?? process.env);
      shelf = createShelf({
        size,
        refillDelayMs,
        spareTimeoutMs,
        start: () => executor.start({ program, interpreter: interpreter.path, cwd, env, limits }),
        onEmptied: () => shelves.delete(key),
      });
      shelves.set(key, shelf);
    }
    return shelf;
  }

  return {
    kind: executor.kind,
    capabilities: executor.capabilities,

    async start(spec, { signal } = {}) {
      signal?.throwIfAborted();
      const shelf = closed ? undefined : await shelfFor(spec, signal);
      const spare = shelf?.take();
      if (spare === undefined) {
        startedCold++;
        return executor.start(spec, { signal });
      }
      handedOver++;
      spare.handOver = { cwd: spec.cwd, env: spec.env };
      return spare;
    },

    prepare(spec) {
      // Whatever is wrong is told by the start that needs it.
      shelfFor(spec).then(
        (shelf) => shelf?.fill(),
        () => undefined,
      );
    },

    probe: (request) => executor.probe(request),

    get status() {
      const all = [...shelves.values()];
      const spares = all.reduce((sum, shelf) => sum + shelf.count, 0);
      const problem = all.find((shelf) => shelf.problem !== undefined)?.problem;
      return { spares, handedOver, startedCold, problem };
    },

    async close() {
      closed = true;
      await Promise.all(Array.from(shelves.values(), (shelf) => shelf.close()));
      shelves.clear();
      await executor.close();
    },
  };
}
