import { randomUUID } from "node:crypto";
import { ArtificerError } from "@artificer/protocol";
import type { ApprovalRequest, Decider, Outcome } from "@artificer/runtime";
import { type InputRequests, inputRequired } from "@modelcontextprotocol/server";
import type { Session } from "../session/session.js";
import { approvalForm, decisionOfForm } from "./approval-form.js";

/** A cell that may have to ask the person behind an MCP client before it ends. */
export interface ElicitedRun {
  /** Unguessable; the client hands it back with its answers. */
  readonly id: string;
  /** Takes what the client answered. What can't be done is asked again, with the reason. */
  answer(responses: Readonly<Record<string, unknown>> | undefined): void;
  /** Resolves with the outcome, or with what has to be asked first. `signal` ends the cell. */
  proceed(signal: AbortSignal): Promise<{ outcome: Outcome } | { ask: ReturnType<typeof inputRequired> }>;
}

/** The runs of a session that wait for a client's answer. */
export interface ElicitedRuns {
  start(run: (options: { approve: Decider; signal: AbortSignal }) => Promise<Outcome>): ElicitedRun;
  /** @throws ArtificerError `approval/not-pending` */
  find(id: string): ElicitedRun;
}

const kept = 100;
const runsOfSessions = new WeakMap<Session, ElicitedRuns>();

/** One table for a session, whatever number of server objects serve it. */
export function elicitedRuns(session: Session): ElicitedRuns {
  let runs = runsOfSessions.get(session);
  if (runs === undefined) {
    runs = createRuns(session);
    runsOfSessions.set(session, runs);
  }
  return runs;
}

function createRuns(session: Session): ElicitedRuns {
  const runs = new Map<string, ElicitedRun>();
  return {
    start(run) {
      const made = createRun(session, run, (id) => runs.delete(id));
      runs.set(made.id, made);
      if (runs.size > kept) runs.delete(runs.keys().next().value!);
      return made;
    },
    find(id) {
      const run = runs.get(id);
      if (run !== undefined) return run;
      throw new ArtificerError("approval/not-pending", "The cell that this answer belongs to does not wait any more.", {
        hint: "Run it again.",
      });
    },
  };
}

function createRun(
  session: Session,
  run: (options: { approve: Decider; signal: AbortSignal }) => Promise<Outcome>,
  onDone: (id: string) => void,
): ElicitedRun {
  const id = randomUUID();
  const pending = new Map<string, { request: ApprovalRequest; problem?: string }>();
  const stop = new AbortController();
  let wake: () => void = () => {};
  const approve: Decider = (request, { signal }) =>
    new Promise((resolve) => {
      pending.set(request.id, { request });
      // Decided by `answer`, or elsewhere, or not at all: either way it is settled then.
      signal.addEventListener("abort", () => {
        pending.delete(request.id);
        resolve(undefined);
      });
      wake();
    });
  const outcome = run({ approve, signal: stop.signal });
  outcome.catch(() => {});
  return {
    id,
    answer(responses) {
      for (const [key, waiting] of [...pending]) {
        const decision = decisionOfForm(responses, key, waiting.request);
        if (decision === undefined) continue;
        try {
          if (decision instanceof Error) throw decision;
          session.approvals.decide(key, decision);
        } catch (thrown) {
          waiting.problem = (thrown as Error).message;
        }
      }
    },
    async proceed(signal) {
      const onAbort = () => stop.abort(signal.reason);
      if (signal.aborted) onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        const asked = new Promise<undefined>((resolve) => {
          wake = () => resolve(undefined);
          if (pending.size > 0) resolve(undefined);
        });
        const ended = await Promise.race([outcome.then((value) => ({ outcome: value })), asked]);
        if (ended !== undefined) {
          onDone(id);
          return ended;
        }
        const inputRequests: InputRequests = {};
        for (const [key, { request, problem }] of pending) inputRequests[key] = approvalForm(request, problem);
        return { ask: inputRequired({ inputRequests, requestState: id }) };
      } finally {
        signal.removeEventListener("abort", onAbort);
      }
    },
  };
}
