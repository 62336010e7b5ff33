import { ArtificerError } from "@artificer/protocol";
import type { ApprovalDecision, ApprovalRequest, Session } from "artificer";
import type { CliIo } from "../context.js";
import { showRequest } from "./show-request.js";

/** Asks a person for one line; undefined when they leave or `signal` fires. */
export type AskLine = (prompt: string, options: { signal: AbortSignal }) => Promise<string | undefined>;

/** Has a person at the terminal decide what the session asks, one request after another. Gives back what ends that. */
export function promptApprovals(session: Session, io: CliIo, askLine: AskLine): () => void {
  const waiting = new Map<string, AbortController>();
  let last: Promise<unknown> = Promise.resolve();
  const stopAsking = session.approvals.onRequest((request) => {
    const settled = new AbortController();
    waiting.set(request.id, settled);
    last = last.then(() => ask(request, settled.signal)).catch(() => {});
  });
  const stopListening = session.approvals.onSettled(({ id }, how) => {
    waiting.get(id)?.abort(new Error(how));
    waiting.delete(id);
  });

  const ask = async (request: ApprovalRequest, signal: AbortSignal) => {
    if (signal.aborted) return;
    io.stderr.write(showRequest(request));
    while (!signal.aborted) {
      const answer = await askLine(choices[request.kind === "external" ? "external" : "other"], { signal });
      if (signal.aborted) {
        io.stderr.write(`\n(it does not wait any more: ${(signal.reason as Error).message})\n`);
        return;
      }
      const decision = await decisionOf(answer, request, { askLine, signal });
      if (decision === undefined) continue;
      try {
        session.approvals.decide(request.id, decision);
        return;
      } catch (thrown) {
        if (ArtificerError.is(thrown, "approval/not-pending")) return;
        io.stderr.write(`${(thrown as Error).message}\n`);
      }
    }
  };
  return () => {
    stopAsking();
    stopListening();
    for (const settled of waiting.values()) settled.abort(new Error("ended"));
  };
}

const choices = {
  other: "Allow? [y]es, for the [s]ession, for [g]ood, [e]dit, [n]o: ",
  external: "Its [r]esult as JSON, or [n]o: ",
} as const;

async function decisionOf(
  answer: string | undefined,
  { kind, args }: ApprovalRequest,
  { askLine, signal }: { askLine: AskLine; signal: AbortSignal },
): Promise<ApprovalDecision | undefined> {
  const line = async (prompt: string) => (await askLine(prompt, { signal }))?.trim();
  const json = async (prompt: string): Promise<{ value: unknown } | undefined> => {
    try {
      return { value: JSON.parse((await line(prompt)) ?? "") };
    } catch {
      return undefined;
    }
  };
  // Whoever leaves without a word has allowed nothing.
  if (answer === undefined) return { decision: "deny", reason: "Nobody answered at the terminal." };
  switch (answer.trim().toLowerCase()[0]) {
    case "y":
      return { decision: "allow" };
    case "s":
      return { decision: "allow", scope: "session" };
    case "g":
      return { decision: "allow", scope: "always" };
    case "e": {
      if (kind === "cell") return undefined;
      const edited = await json(`Arguments as JSON (now ${JSON.stringify(args)}): `);
      return edited && { decision: "allow", args: edited.value as Record<string, unknown> };
    }
    case "r": {
      const result = await json("Result as JSON: ");
      return result && { decision: "answer", result: result.value };
    }
    case "n": {
      const reason = await line("Why, for the model to read (may be empty): ");
      return { decision: "deny", ...(reason ? { reason } : {}) };
    }
    default:
      return undefined;
  }
}
