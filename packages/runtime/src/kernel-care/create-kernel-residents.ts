import { ArtificerError } from "@artificer/protocol";
import type { Kernel } from "../kernel/kernel.js";

/** A kernel that takes up room, and the rules of the session that has it. */
export interface Resident {
  kernel: Kernel;
  /** Ended after this long without work, in milliseconds. */
  idleTimeoutMs: number;
  /** Residents kept at once, over all sessions. */
  maxKernels: number;
  /** Whether cells run or wait in its session. */
  busy(): boolean;
  /** Puts by what is to outlive the kernel. */
  leave?(): Promise<unknown>;
}

/** The kernels of all sessions of one process: ends those idle too long, and the least recently used ones beyond the cap. */
export interface KernelResidents {
  readonly count: number;
  admit(resident: Resident): void;
  /** Its session has no more cells: what busy kernels kept beyond the cap is ended, others before this one. */
  settled(resident: Resident): void;
}

/** Longest delay that a timer takes. */
const maxDelayMs = 2 ** 31 - 1;

/** All times are of the monotonic clock: setting the machine's clock ends no kernel. Its timer never holds up the host's end. */
export function createKernelResidents(): KernelResidents {
  const residents = new Set<Resident>();
  const leaving = new Set<Resident>();
  let timer: NodeJS.Timeout | undefined;

  const idleSince = (resident: Resident) => (resident.busy() ? undefined : resident.kernel.idleSince);

  function admit(resident: Resident): void {
    residents.add(resident);
    void resident.kernel.ended.then(() => residents.delete(resident));
    trim(resident);
    schedule();
  }

  function trim(latest: Resident): void {
    const { maxKernels } = latest;
    if (residents.size <= maxKernels) return;
    const living = [...residents].filter(staying);
    const idle = living
      .flatMap((resident) => {
        const since = resident === latest ? undefined : idleSince(resident);
        return since === undefined ? [] : [{ resident, since }];
      })
      .sort((left, right) => left.since - right.since);
    for (const { resident } of idle.slice(0, Math.max(0, living.length - maxKernels))) {
      void end(resident, evicted(maxKernels));
    }
  }

  /** A cell that comes while something is put by keeps its kernel. */
  async function end(resident: Resident, reason: ArtificerError): Promise<void> {
    leaving.add(resident);
    if (resident.leave !== undefined) await resident.leave();
    leaving.delete(resident);
    if (!resident.busy()) await resident.kernel.kill(reason);
    else schedule();
  }

  function staying(resident: Resident): boolean {
    return resident.kernel.alive && !leaving.has(resident);
  }

  function reap(): void {
    timer = undefined;
    const now = performance.now();
    for (const resident of residents) {
      const since = idleSince(resident);
      if (staying(resident) && since !== undefined && now - since >= resident.idleTimeoutMs)
        void end(resident, idled(resident.idleTimeoutMs));
    }
    schedule();
  }

  function schedule(): void {
    clearTimeout(timer);
    timer = undefined;
    const now = performance.now();
    const delays = [...residents]
      .filter(staying)
      .map((resident) => (idleSince(resident) ?? now) + resident.idleTimeoutMs - now);
    if (delays.length === 0) return;
    timer = setTimeout(reap, Math.min(maxDelayMs, Math.max(1, Math.ceil(Math.min(...delays))))).unref();
  }

  return {
    get count() {
      return [...residents].filter(({ kernel }) => kernel.alive).length;
    },
    admit,
    settled: trim,
  };
}

/** The residents of this process. */
export const processResidents = createKernelResidents();

function idled(idleTimeoutMs: number): ArtificerError {
  const told = idleTimeoutMs < 60_000 ? `${idleTimeoutMs / 1000} s` : `${Math.round(idleTimeoutMs / 6_000) / 10} min`;
  return new ArtificerError("kernel/idle", `it had been idle for ${told} (kernel_idle_timeout).`, {
    details: { idleTimeoutMs },
    hint: "Raise code_execution.kernel_idle_timeout to keep idle kernels longer.",
  });
}

function evicted(maxKernels: number): ArtificerError {
  const kept = maxKernels === 1 ? "one kernel" : `${maxKernels} kernels`;
  return new ArtificerError(
    "kernel/evicted",
    `it made room as the one unused for longest: at most ${kept} are kept (max_session_kernels).`,
    {
      details: { maxKernels },
      hint: "Raise code_execution.max_session_kernels to keep more kernels at once.",
    },
  );
}
