import { randomBytes } from "node:crypto";
import type { ContainerEngine } from "./container-engine.js";
import { type HostMark, hostMark, isHostAlive } from "./host-mark.js";

const machineLabel = "artificer.machine";

/** A name and labels for a new container that tell whose it is. */
export function markedContainer(mark: HostMark = hostMark()): { name: string; labels: string[] } {
  const name = `artificer-${mark.pid}-${mark.started}-${randomBytes(4).toString("hex")}`;
  return { name, labels: [`${machineLabel}=${mark.machine}`] };
}

/** Ends and removes containers at once. Removal alone would wait for them to end by themselves first. */
export async function removeContainers(engine: ContainerEngine, names: readonly string[]): Promise<void> {
  await engine.ask(["kill", "--signal", "KILL", ...names]);
  await engine.ask(["rm", "--force", "--volumes", ...names]);
}

/** Removes the containers of hosts of this machine that are gone. Returns their names. */
export async function removeLeftovers(engine: ContainerEngine): Promise<string[]> {
  const filter = `label=${machineLabel}=${hostMark().machine}`;
  const { stdout } = await engine.ask(["ps", "--all", "--filter", filter, "--format", "{{.Names}}"]);
  const left = stdout.split("\n").filter((name) => {
    const [, pid, started] = /^artificer-(\d+)-(\d+)-[0-9a-f]+$/.exec(name.trim()) ?? [];
    return pid !== undefined && started !== undefined && !isHostAlive({ pid: Number(pid), started });
  });
  if (left.length > 0) await removeContainers(engine, left);
  return left;
}
