import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import {
  ArtificerError,
  type Executor,
  type KernelChannel,
  type KernelSpec,
  type Usability,
} from "@artificer/protocol";
import { channelOf } from "../child-process/channel-of.js";
import { checkFolder } from "../child-process/check-folder.js";
import { exitBySignal } from "../child-process/exit-by-signal.js";
import { beginsIn, chooseWorkspace } from "../workspace/choose-workspace.js";
import { makeReadable } from "../workspace/make-readable.js";
import { type ContainerSetup, containerArguments, inside } from "./container-arguments.js";
import { type ContainerEngine, findEngine } from "./container-engine.js";
import { containerEnvironment } from "./container-environment.js";
import type { ContainerExecutorOptions } from "./container-options.js";
import { markedContainer, removeLeftovers } from "./leftovers.js";
import { type KernelLink, openKernelLink } from "./open-kernel-link.js";
import { probeImage } from "./probe-image.js";
import { type StartedContainer, startContainer } from "./start-container.js";

const defaultImage = "localhost/artificer-kernel";

/**
 * Runs each kernel in a container of its own, through the command line of Podman or Docker: no network, a read-only root,
 * a user without rights, bounded memory, processes and /tmp, and nothing of the host but what the options give.
 */
export function createContainerExecutor(options: ContainerExecutorOptions = {}): Executor {
  const { image = defaultImage, graceMs = 500 } = options;
  const running = new Set<KernelChannel>();
  let tidied: Promise<unknown> | undefined;
  let found: Promise<ContainerEngine | (Usability & { usable: false })> | undefined;

  /** The engine, once it is known to have the image; what is missing may be mended while the host runs. */
  async function usableEngine(): Promise<ContainerEngine | (Usability & { usable: false })> {
    found ??= openEngine(options, image);
    const engine = await found;
    if ("usable" in engine) found = undefined;
    return engine;
  }

  return {
    kind: "container",
    capabilities: {
      isolation: "container",
      languages: ["python", "typescript"],
      limits: ["memoryBytes", "cpuSeconds", "openFiles", "fileBytes", "processes"],
      kill: true,
      network: "configurable",
    },

    async start(spec, { signal } = {}) {
      signal?.throwIfAborted();
      checkFolder(spec.cwd);
      const engine = await usableEngine();
      if ("usable" in engine)
        throw new ArtificerError("executor/unavailable", engine.reason ?? "", { hint: engine.hint });
      tidied ??= removeLeftovers(engine);
      await tidied;
      const link = await openKernelLink();
      const { name, labels } = markedContainer();
      const { names: env, values } = containerEnvironment(spec.env, engine.env);
      let started: StartedContainer;
      try {
        const setup = setUp(spec, { ...options, image }, { engine, name, labels, env, link: link.paths });
        const timeoutMs = options.startTimeoutMs ?? 30_000;
        const args = containerArguments(setup);
        started = await startContainer({ engine, name, args, values, link, timeoutMs }, { signal });
      } finally {
        await link.close();
      }
      const { child, wire } = started;
      const end = async () => {
        // A container that ends just now is no trouble; one that is stuck is removed by force.
        const ended = once(child, "exit");
        await engine.ask(["kill", "--signal", "KILL", name]);
        if (child.exitCode !== null || child.signalCode !== null) return;
        const inTime = await Promise.race([ended.then(() => true), delay(5_000, false, { ref: false })]);
        if (!inTime) await engine.ask(["rm", "--force", "--volumes", name]);
      };
      const channel = channelOf(child, {
        graceMs,
        limits: spec.limits,
        wire,
        output: link.output,
        end,
        exitOf: exitBySignal,
      });
      running.add(channel);
      void channel.exited.then(() => running.delete(channel));
      return channel;
    },

    async probe() {
      const engine = await usableEngine();
      if ("usable" in engine) return engine;
      return { usable: true, facts: { engine: `${engine.command[0]} ${engine.version}`, image } };
    },

    async close() {
      await Promise.all(Array.from(running, (kernel) => kernel.kill()));
    },
  };
}

async function openEngine(options: ContainerExecutorOptions, image: string) {
  const engine = await findEngine({ command: options.engine, env: options.engineEnv });
  if ("usable" in engine) return engine;
  const missing = await probeImage(engine, image);
  if (missing !== undefined) return missing;
  return engine;
}

interface SetUpContext {
  engine: ContainerEngine;
  name: string;
  labels: readonly string[];
  env: readonly string[];
  link: KernelLink["paths"];
}

function setUp(
  spec: KernelSpec,
  options: ContainerExecutorOptions & { image: string },
  { engine, name, labels, env, link }: SetUpContext,
): ContainerSetup {
  const { workspace, hidden } = chooseWorkspace(options.workspace, options.hidden ?? []);
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const defaults = { python: "python3", typescript: "node" };
  const path = spec.interpreter ?? options.interpreters?.[spec.program.language] ?? defaults[spec.program.language];
  return {
    image: options.image,
    name,
    labels,
    isPodman: engine.isPodman,
    keepsUserId: engine.isPodman && uid !== 0 && options.user === undefined,
    user: options.user ?? (uid === 0 ? "1000:1000" : `${uid}:${gid}`),
    network: options.network ?? "none",
    tmpBytes: options.tmpBytes ?? 256 * 2 ** 20,
    limits: {
      ...spec.limits,
      memoryBytes: spec.limits.memoryBytes ?? options.memoryBytes ?? 2 * 2 ** 30,
      processes: spec.limits.processes ?? options.processes ?? 256,
    },
    cpus: options.cpus,
    link,
    programFolder: spec.program.folder,
    workspace,
    hidden,
    readable: makeReadable(options.readable ?? []),
    mounts: options.mounts ?? [],
    cwd: workspace === undefined ? "/tmp" : beginsIn(spec.cwd, workspace.path),
    env,
    command: spec.program.command(
      { path, version: "", prefixes: [] },
      { folder: inside.folder, wire: `unix:${inside.wire}` },
    ),
  };
}
