import { ArtificerError, nearestName } from "@artificer/protocol";
import { z } from "zod";
import type { ApprovalDecision, ApprovalRequest } from "./approvals.js";

const by = z.string().max(1000).optional();
const decisions = {
  allow: z.strictObject({
    decision: z.literal("allow"),
    scope: z.enum(["once", "session", "always"]).optional(),
    match: z.enum(["arguments", "tool"]).optional(),
    args: z.record(z.string(), z.unknown()).optional(),
    by,
  }),
  answer: z.strictObject({ decision: z.literal("answer"), result: z.unknown(), by }),
  deny: z.strictObject({ decision: z.literal("deny"), reason: z.string().max(10_000).optional(), by }),
};

/** Checks what somebody decided; it may have come over a network. @throws ArtificerError `approval/invalid-decision` */
export function checkDecision(decision: unknown, request: ApprovalRequest): ApprovalDecision {
  const said = (decision as { decision?: unknown } | null | undefined)?.decision;
  const known = Object.keys(decisions);
  if (typeof said !== "string" || !Object.hasOwn(decisions, said))
    throw invalid(`decision has to be one of ${known.join(", ")}`, nearestName(String(said), known));
  const parsed = decisions[said as keyof typeof decisions].safeParse(decision);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const field = issue.code === "unrecognized_keys" ? issue.keys[0] : issue.path.join(".");
    throw invalid(`${field}: ${issue.message}`);
  }
  const checked = parsed.data as ApprovalDecision;
  if (checked.decision === "answer" && request.kind !== "external")
    throw invalid("only a call that is carried out elsewhere can be answered; allow it or deny it");
  if (checked.decision === "allow" && request.kind === "external")
    throw invalid("this call is carried out elsewhere: answer it with its result, or deny it");
  if (checked.decision === "allow" && checked.args !== undefined && request.kind === "cell")
    throw invalid("a cell has no arguments to edit");
  if (checked.decision === "allow" && request.kind === "input") checkInput(checked.args, request);
  return checked;
}

function checkInput(args: Readonly<Record<string, unknown>> | undefined, { inputFields = [] }: ApprovalRequest): void {
  const missing = inputFields.filter((name) => args?.[name] === undefined || args[name] === null);
  if (missing.length > 0) throw invalid(`these arguments have to be filled in: ${missing.join(", ")}`);
}

function invalid(why: string, nearest?: string): ArtificerError {
  return new ArtificerError("approval/invalid-decision", `This is no decision: ${why}.`, {
    hint: nearest === undefined ? "docs/policy.md shows what a decision looks like." : `Did you mean ${nearest}?`,
  });
}
