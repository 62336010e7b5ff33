import { createHash } from "node:crypto";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";

/** What tells one process from all others, also from one that gets its number later. */
export interface ProcessFacts {
  id: string;
  pid: number;
  /** Clock ticks from the machine's start to the process's, where the system tells; the wall clock plays no part. */
  started?: string;
  /** Processes see each other's numbers only on the same machine, in the same namespace. */
  machine: string;
}

export type Life = "alive" | "dead" | "unknown";

export async function ownFacts(id: string): Promise<ProcessFacts> {
  const started = await startTicks(process.pid);
  return { id, pid: process.pid, ...(started === undefined ? {} : { started }), machine: await thisMachine() };
}

/** Whether the process of these facts lives; unknown when it can't be seen from here. */
export async function lifeOf(facts: ProcessFacts): Promise<Life> {
  if (facts.machine !== (await thisMachine())) return "unknown";
  try {
    process.kill(facts.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return "dead";
  }
  const started = await startTicks(facts.pid);
  if (facts.started === undefined || started === undefined) return "unknown";
  return started === facts.started ? "alive" : "dead";
}

/** Undefined for text that was not written whole. */
export function parseFacts(text: string): ProcessFacts | undefined {
  try {
    const facts = JSON.parse(text) as Partial<ProcessFacts> | null;
    const complete =
      typeof facts?.id === "string" && typeof facts.pid === "number" && typeof facts.machine === "string";
    return complete ? (facts as ProcessFacts) : undefined;
  } catch {
    return undefined;
  }
}

let machine: Promise<string> | undefined;

export function thisMachine(): Promise<string> {
  machine ??= (async () => {
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
    const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
    return createHash("sha256").update(`${hostname()}\n${boot}\n${namespace}`).digest("hex").slice(0, 16);
  })();
  return machine;
}

async function startTicks(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // The program's name, in brackets, may hold spaces and brackets itself.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}
