import { homedir } from "node:os";
import { join } from "node:path";
import {
  ArtificerError,
  type Bindings,
  type Display,
  displayNotice,
  type KernelProgram,
  type ResourceLimits,
  snapshotNotice,
  type Value,
} from "@artificer/protocol";
import { answerRequest } from "../handles/answer-request.js";
import type { Namespaces } from "../handles/handle-context.js";
import { Kernel } from "../kernel/kernel.js";
import type { KernelRequest } from "../kernel/kernel-connection.js";
import { kernelEnvironment } from "../kernel/kernel-environment.js";
import type { KernelSlot } from "./kernel-slot.js";
import type { SessionLimits } from "./limits.js";
import type { RecentLogs } from "./recent-logs.js";
import type { CoreSessionOptions } from "./session-options.js";

export interface SessionKernelContext {
  options: CoreSessionOptions;
  program: KernelProgram;
  session: string;
  generation: number;
  limits: SessionLimits;
  bindings: Bindings;
  namespaces: Namespaces;
  logs: RecentLogs;
}

/** Starts a kernel for a slot: its environment, limits and handles are fixed here. */
export async function startSessionKernel(
  slot: KernelSlot,
  context: SessionKernelContext,
  { signal }: { signal?: AbortSignal | undefined },
): Promise<Kernel> {
  const { options, program, session, limits } = context;
  const interpreter = options.interpreters?.[program.language];
  const cwd = options.cwd ?? process.cwd();
  const location = {
    home: join(homedir(), ".artificer"),
    session,
    base: options.base ?? cwd,
    language: program.language,
  };
  return Kernel.start(
    {
      executor: options.executor,
      spec: {
        program,
        ...(interpreter === undefined ? {} : { interpreter }),
        cwd,
        env: kernelEnvironment(options.hostEnv ?? process.env, location, options.env),
        limits: resourceLimits(limits),
      },
      session,
      generation: context.generation,
      bindings: context.bindings,
      limits: {
        maxValueBytes: limits.maxValueBytes,
        maxReprChars: limits.maxReprChars,
        maxDisplayBytes: limits.maxDisplayBytes,
        maxDisplays: limits.maxDisplays,
      },
      startTimeoutMs: limits.startTimeoutMs,
      snapshots: slot.keeper !== undefined,
      onRequest: (request) => answer(slot, request, context),
      onNotice: (name, params, cell) => notice(slot, name, params, cell),
      onOutput: (stream, chunk) => slot.output(stream, chunk),
    },
    signal === undefined ? {} : { signal },
  );
}

function answer(
  slot: KernelSlot,
  request: KernelRequest,
  { namespaces, logs }: SessionKernelContext,
): Promise<unknown> {
  const { cell = 0, signal } = request;
  const log = logs.get(cell);
  if (log === undefined) {
    throw new ArtificerError("tool/denied", `No cell ${cell} of this session may call the host.`, {
      details: { cell },
      hint: "Threads that outlive their cell can call tools only for the next hundred cells.",
    });
  }
  const active = slot.active?.cell === cell ? slot.active : undefined;
  const onAnswered = (listener: (bytes: number) => void) => {
    request.onAnswered = listener;
  };
  return answerRequest(namespaces, request, { language: slot.language, cell, active, log, signal, onAnswered });
}

function notice(slot: KernelSlot, name: string, params: Value, cell: number | undefined): void {
  if (name === "snapshot") slot.keeper?.onNotice(snapshotNotice.safeParse(params).data?.variable ?? "");
  const active = slot.active;
  if (name !== "display" || active === undefined || (cell !== undefined && cell !== active.cell)) return;
  const parsed = displayNotice.safeParse(params);
  if (!parsed.success) return;
  const { data, metadata, dropped } = parsed.data;
  for (const { mime, bytes } of dropped)
    active.notices.push(`A display of ${bytes} bytes (${mime}) was too large and left out.`);
  if (Object.keys(data).length === 0) return;
  const display = { data, metadata } as Display;
  active.displays.push(display);
  active.onDisplay?.(display);
}

function resourceLimits({ memoryBytes, cpuSeconds, processes, openFiles, fileBytes }: SessionLimits): ResourceLimits {
  const limits = { memoryBytes, cpuSeconds, processes, openFiles, fileBytes };
  return Object.fromEntries(Object.entries(limits).filter(([, bound]) => bound !== undefined));
}
