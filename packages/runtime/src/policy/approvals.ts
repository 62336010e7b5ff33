import type { EffectClass, JsonValue, Language, ToolNeed } from "@artificer/protocol";

/** Why a person is asked: by a rule, because the tool says so, or for a whole cell. */
export type ApprovalKind = "rule" | "cell" | ToolNeed;

/** What a person is asked. Everything in it has secrets redacted. */
export interface ApprovalRequest {
  id: string;
  kind: ApprovalKind;
  session: string;
  owner?: string;
  cell: number;
  language: Language;
  /** Absent when it is about a whole cell. */
  tool?: string;
  effect?: EffectClass;
  /** The exact arguments, as JSON. */
  args?: JsonValue;
  /** With `input`: the arguments to be filled in. */
  inputFields?: readonly string[];
  /** Why it is asked. */
  reason: string;
  /** The code around the call, or the whole cell; as far as the cell is still known. */
  code?: string;
  /** The line of the cell that calls, from 1, as far as it is known. */
  line?: number;
  /** Tool calls that the cell has made before this one. */
  callsSoFar: number;
  /** How often the session has asked before. */
  asksSoFar: number;
  requestedAt: Date;
  timeoutMs: number;
}

/** What a person says to it. */
export type ApprovalDecision =
  | {
      decision: "allow";
      /** Default `once`. `always` is kept in the storage, for this owner. */
      scope?: "once" | "session" | "always";
      /** With a scope beyond `once`: the same call again, or any of this tool. Default: the tool, unless a rule asked because of the arguments. */
      match?: "arguments" | "tool";
      /** All arguments, changed; what is left as it was shown stays as it was. */
      args?: Readonly<Record<string, unknown>>;
      by?: string;
    }
  /** With `external`: what the call gives. */
  | { decision: "answer"; result: unknown; by?: string }
  | { decision: "deny"; reason?: string; by?: string };

/** Answers a request; undefined leaves it to others. `signal` fires when it is settled otherwise. */
export type Decider = (
  request: ApprovalRequest,
  options: { signal: AbortSignal },
) => ApprovalDecision | undefined | Promise<ApprovalDecision | undefined>;

/** What waits for a person, and the way to decide it, from wherever that person is. */
export interface Approvals {
  /** Oldest first. */
  list(): ApprovalRequest[];
  /**
   * Settles a request. Of two who decide at once, the first counts.
   *
   * @throws ArtificerError `approval/not-pending` when it is settled already, saying how; `approval/invalid-decision` and `tool/…-argument` for a
   * decision that can't be: then it waits on.
   */
  decide(id: string, decision: ApprovalDecision): void;
  /** Has a listener told of every request; while there is one, requests wait for `decide`. Gives back what ends that. */
  onRequest(listener: (request: ApprovalRequest) => void): () => void;
  /** Has a listener told how a request was settled. */
  onSettled(listener: (request: ApprovalRequest, how: ApprovalSettlement) => void): () => void;
}

export type ApprovalSettlement = "allowed" | "edited" | "answered" | "denied" | "timed-out" | "withdrawn" | "failed";
