import { ArtificerError, type Bindings, type KernelProgram, snapshotNotice, type Value } from "@artificer/protocol";
import { z } from "zod";
import { keptName } from "../artifacts/kept-outputs.js";
import { prepareDeps } from "../deps/prepare-deps.js";
import { answerRequest } from "../handles/answer-request.js";
import type { Namespaces } from "../handles/handle-context.js";
import { limitResult } from "../handles/limit-result.js";
import { parseParams } from "../handles/parse-params.js";
import { Kernel, type KernelOptions } from "../kernel/kernel.js";
import type { KernelRequest } from "../kernel/kernel-connection.js";
import { artificerHome } from "./artificer-home.js";
import type { KernelSlot } from "./kernel-slot.js";
import type { SessionLimits } from "./limits.js";
import type { RecentLogs } from "./recent-logs.js";
import { resourceLimits } from "./resource-limits.js";
import type { SessionCare } from "./session-care.js";
import type { CoreSessionOptions, SessionProblem } from "./session-options.js";
import { showDisplay } from "./show-display.js";

export interface SessionKernelContext {
  options: CoreSessionOptions;
  program: KernelProgram;
  session: string;
  generation: number;
  limits: SessionLimits;
  bindings: Bindings;
  namespaces: Namespaces;
  logs: RecentLogs;
  care: SessionCare;
  onProblem(problem: SessionProblem): void;
}

/** Starts a kernel for a slot: its environment, limits and handles are fixed here. */
export async function startSessionKernel(
  slot: KernelSlot,
  context: SessionKernelContext,
  { signal }: { signal?: AbortSignal | undefined },
): Promise<Kernel> {
  const { options, program, session, limits, care, namespaces } = context;
  const settings = await kernelSettings(context, signal);
  const interpreter = options.interpreters?.[program.language];
  const staging = await care.staging?.folder();
  const project = options.cwd ?? process.cwd();
  const location = {
    home: options.home ?? artificerHome(),
    session,
    base: options.base ?? project,
    language: program.language,
  };
  const kernel = await Kernel.start(
    {
      executor: options.executor,
      spec: {
        program,
        ...(interpreter === undefined ? {} : { interpreter }),
        cwd: staging ?? project,
        env: care.environment.build(location),
        limits: resourceLimits(limits),
        startTimeoutMs: limits.startTimeoutMs,
      },
      ...(staging === undefined ? {} : { staging }),
      session,
      generation: context.generation,
      bindings: context.bindings,
      limits: {
        maxValueBytes: limits.maxValueBytes,
        maxInlineBytes: limits.maxInlineBytes,
        maxReprChars: limits.maxReprChars,
        maxDisplayBytes: limits.maxDisplayBytes,
        maxDisplays: limits.maxDisplays,
      },
      settings,
      startTimeoutMs: limits.startTimeoutMs,
      snapshots: slot.keeper !== undefined,
      onRequest: (request) => answer(slot, request, context),
      onNotice: (name, params, cell) => notice({ slot, limits }, name, params, cell),
      onOutput: (stream, chunk) => slot.output(stream, chunk),
    },
    signal === undefined ? {} : { signal },
  );
  care.admit(slot, kernel);
  const names = namespaces.shared.list().map(({ name }) => name);
  if (program.language === "typescript" && names.length > 0) await kernel.request("shared.names", { names }).reply;
  return kernel;
}

/** What only Python kernels are told: their engine, their shells, where their deps lie. */
async function kernelSettings(
  { options, program, namespaces, onProblem }: SessionKernelContext,
  signal: AbortSignal | undefined,
): Promise<NonNullable<KernelOptions["settings"]>> {
  if (program.language !== "python") return {};
  const paths = await prepareDeps(namespaces.deps, { sync: options.syncDepsOnStart ?? false, signal, onProblem });
  return { engine: options.engine ?? "own", allowShell: options.allowShell ?? true, paths };
}

/** Resolves when everything that a kernel wrote before its question has been read: what is ready is read in the same turn. */
function outputRead(): Promise<null> {
  return new Promise((resolve) => setImmediate(() => resolve(null)));
}

/** What a cell clears is its own: everything before its question, and nothing after. */
async function clearOutput(slot: KernelSlot, { cell, params }: KernelRequest): Promise<null> {
  const { wait = false } = parseParams(z.object({ wait: z.boolean().optional() }), params, "output.clear");
  await outputRead();
  if (slot.active?.cell === cell) slot.active?.capture.clear({ wait });
  return null;
}

function answer(
  slot: KernelSlot,
  request: KernelRequest,
  { namespaces, logs, limits }: SessionKernelContext,
): Promise<unknown> {
  if (request.method === "output.settle") return outputRead();
  if (request.method === "output.clear") return clearOutput(slot, request);
  const { cell = 0, withdrawal } = request;
  const log = logs.get(cell);
  if (log === undefined) {
    throw new ArtificerError("tool/denied", `No cell ${cell} of this session may call the host.`, {
      details: { cell },
      hint: "Threads that outlive their cell can call tools only for the next hundred cells.",
    });
  }
  const active = slot.active?.cell === cell ? slot.active : undefined;
  return answerRequest(namespaces, request, {
    language: slot.language,
    cell,
    running: slot.active?.cell,
    active,
    log,
    withdrawal,
    onAnswered(listener) {
      request.onAnswered = listener;
    },
    limitAnswer(tool, onRefused) {
      const { session, artifacts, policy } = namespaces;
      const bound = policy.answerBound(cell, tool);
      request.answerLimit = {
        // Asked when the answer is there: calls that ended meanwhile have used up their share.
        maxBytes() {
          return Math.min(limits.maxResultBytes, bound?.maxBytes() ?? Number.POSITIVE_INFINITY);
        },
        replace: async (value, bytes) => {
          try {
            const beyond = bound?.beyond(bytes);
            if (beyond !== undefined) throw beyond;
            const maxResultBytes = Math.min(limits.maxResultBytes, bound?.maxBytes() ?? Number.POSITIVE_INFINITY);
            const name = keptName(session, `cell-${cell}-${tool}-${request.id}`);
            const context = { artifacts, name, limits: { ...limits, maxResultBytes } };
            return await limitResult({ tool, value, bytes }, context);
          } catch (thrown) {
            onRefused(thrown);
            throw thrown;
          }
        },
      };
    },
    remark(text) {
      (slot.active?.cell === cell ? slot.active.notices : slot.remarks).push(text);
    },
  });
}

function notice(
  { slot, limits }: { slot: KernelSlot; limits: SessionLimits },
  name: string,
  params: Value,
  cell: number | undefined,
): void {
  if (name === "snapshot") slot.keeper?.onNotice(snapshotNotice.safeParse(params).data?.variable ?? "");
  const active = slot.active;
  if (name !== "display" || active === undefined || (cell !== undefined && cell !== active.cell)) return;
  showDisplay(active, params, limits);
}
