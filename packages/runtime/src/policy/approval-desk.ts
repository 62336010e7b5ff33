import { randomUUID } from "node:crypto";
import { ArtificerError, toArtificerError } from "@artificer/protocol";
import { subscribeToAbort } from "../tools/abort-subscription.js";
import type { ApprovalDecision, ApprovalRequest, ApprovalSettlement, Approvals, Decider } from "./approvals.js";
import { checkDecision } from "./check-decision.js";

type Draft = Omit<ApprovalRequest, "id" | "asksSoFar" | "requestedAt">;

export interface AskOptions {
  /** Makes a decision of what was said, or throws why it can't be one: then the request waits on. */
  accept(decision: ApprovalDecision): ApprovalDecision;
  deciders: readonly Decider[];
  maxPending: number;
  /** Fires when nobody waits for the answer any more. */
  signal: AbortSignal;
}

interface Parked {
  request: ApprovalRequest;
  accept(decision: ApprovalDecision): ApprovalDecision;
  settle(how: ApprovalSettlement, result: ApprovalDecision | ArtificerError): void;
}

const rememberedSettlements = 1000;

/** Where calls wait for people. One for a session and its sub-agents; of several who decide, the first counts. */
export class ApprovalDesk implements Approvals {
  readonly #pending = new Map<string, Parked>();
  readonly #settled = new Map<string, ApprovalSettlement>();
  readonly #requestListeners = new Set<(request: ApprovalRequest) => void>();
  readonly #settledListeners = new Set<(request: ApprovalRequest, how: ApprovalSettlement) => void>();
  #asked = 0;

  list(): ApprovalRequest[] {
    return Array.from(this.#pending.values(), ({ request }) => request);
  }

  onRequest(listener: (request: ApprovalRequest) => void): () => void {
    this.#requestListeners.add(listener);
    return () => this.#requestListeners.delete(listener);
  }

  onSettled(listener: (request: ApprovalRequest, how: ApprovalSettlement) => void): () => void {
    this.#settledListeners.add(listener);
    return () => this.#settledListeners.delete(listener);
  }

  decide(id: string, decision: ApprovalDecision): void {
    const parked = this.#pending.get(id);
    if (parked === undefined) throw this.#notPending(id);
    const accepted = parked.accept(checkDecision(decision, parked.request));
    parked.settle(settlementOf(accepted), accepted);
  }

  /** Refuses everything of one session that still waits. */
  withdraw(session: string): void {
    for (const { request, settle } of [...this.#pending.values()])
      if (request.session === session) settle("withdrawn", withdrawn("the session was closed"));
  }

  /**
   * Waits for a decision.
   *
   * @throws ArtificerError `approval/no-decider`, `approval/too-many`, `approval/timed-out`, `approval/failed`; `tool/cancelled` when it was withdrawn
   */
  ask(draft: Draft, options: AskOptions): Promise<ApprovalDecision> {
    const { deciders, maxPending, signal } = options;
    const subject = draft.tool ?? `Cell ${draft.cell}`;
    if (deciders.length === 0 && this.#requestListeners.size === 0) return Promise.reject(noDecider(subject, draft));
    if (this.#pending.size >= maxPending) return Promise.reject(tooMany(subject, maxPending));
    if (signal.aborted) return Promise.reject(withdrawn("the cell was stopped", signal.reason));
    const request: ApprovalRequest = { ...draft, id: randomUUID(), asksSoFar: this.#asked++, requestedAt: new Date() };
    return new Promise((resolve, reject) => {
      const asking = new AbortController();
      const settle = (how: ApprovalSettlement, result: ApprovalDecision | ArtificerError) => {
        if (!this.#pending.delete(request.id)) return;
        this.#remember(request.id, how);
        clearTimeout(timer);
        unsubscribe();
        asking.abort(new Error(`The request is settled: ${how}.`));
        this.#tell(this.#settledListeners, (listener) => listener(request, how));
        if (result instanceof Error) reject(result);
        else resolve(result);
      };
      // A timer, not the time of day: a clock that is set otherwise ends no wait.
      const timer = setTimeout(() => settle("timed-out", timedOut(subject, request)), request.timeoutMs);
      const unsubscribe = subscribeToAbort(signal, (reason) =>
        settle("withdrawn", withdrawn("the cell was stopped", reason)),
      );
      this.#pending.set(request.id, { request, accept: options.accept, settle });
      this.#tell(this.#requestListeners, (listener) => listener(request));
      for (const decider of deciders) void this.#consult(decider, request, asking.signal);
    });
  }

  async #consult(decider: Decider, request: ApprovalRequest, signal: AbortSignal): Promise<void> {
    try {
      const decision = await decider(request, { signal });
      if (decision !== undefined && this.#pending.has(request.id)) this.decide(request.id, decision);
    } catch (thrown) {
      if (ArtificerError.is(thrown, "approval/not-pending")) return;
      // Others may still decide; alone, a decider that is broken must not let the call through nor keep it waiting.
      if (this.#requestListeners.size > 0) return;
      this.#pending.get(request.id)?.settle("failed", failed(request.tool ?? `Cell ${request.cell}`, thrown));
    }
  }

  #tell<T>(listeners: ReadonlySet<T>, call: (listener: T) => void): void {
    for (const listener of listeners) {
      try {
        call(listener);
      } catch {
        // Whoever only listens can't break the call.
      }
    }
  }

  #remember(id: string, how: ApprovalSettlement): void {
    this.#settled.set(id, how);
    if (this.#settled.size > rememberedSettlements) this.#settled.delete(this.#settled.keys().next().value!);
  }

  #notPending(id: string): ArtificerError {
    const how = this.#settled.get(id);
    const message =
      how === undefined
        ? `No request ${JSON.stringify(id)} waits here.`
        : `The request ${id} is settled already: ${how}.`;
    return new ArtificerError("approval/not-pending", message, {
      details: { id, settled: how, pending: [...this.#pending.keys()] },
      hint: "List what waits, and decide one of those.",
    });
  }
}

function settlementOf(decision: ApprovalDecision): ApprovalSettlement {
  if (decision.decision === "allow") return decision.args === undefined ? "allowed" : "edited";
  return decision.decision === "answer" ? "answered" : "denied";
}

function noDecider(subject: string, { kind, reason }: Draft): ArtificerError {
  const what = kind === "external" ? "has to be carried out by somebody else" : "needs a person's approval";
  return new ArtificerError("approval/no-decider", `${subject} ${what}, and nobody is there to decide: ${reason}.`, {
    details: { subject, kind },
    hint: "Do without it, or let the host give the session a decider (policy.approval.decide, session.approvals).",
  });
}

function tooMany(subject: string, maxPending: number): ArtificerError {
  return new ArtificerError(
    "approval/too-many",
    `${subject} was not asked about: ${maxPending} requests wait already.`,
    {
      details: { subject, maxPending },
      hint: "Make fewer calls at once that need an approval.",
    },
  );
}

function timedOut(subject: string, { timeoutMs }: ApprovalRequest): ArtificerError {
  return new ArtificerError("approval/timed-out", `${subject} was not approved within ${timeoutMs / 1000} s.`, {
    details: { subject, timeoutMs },
    hint: "Nobody may be there to decide; go on without it, or ask again later.",
  });
}

function withdrawn(why: string, cause?: unknown): ArtificerError {
  return new ArtificerError("tool/cancelled", `The request for approval was withdrawn: ${why}.`, { cause });
}

function failed(subject: string, thrown: unknown): ArtificerError {
  const { message } = toArtificerError(thrown, "approval/failed");
  return new ArtificerError("approval/failed", `${subject} was not approved: whoever decides failed: ${message}`, {
    details: { subject },
    hint: "It was not called. Tell the person who runs this session.",
    cause: thrown,
  });
}
