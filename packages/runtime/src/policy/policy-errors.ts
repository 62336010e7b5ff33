import { ArtificerError } from "@artificer/protocol";
import type { ToolEntry } from "../tools/tool-entry.js";
import type { ApprovalDecision } from "./approvals.js";
import type { Verdict } from "./compiled-policy.js";

/** A rule forbids the call. */
export function refused(entry: ToolEntry, { reason }: Verdict): ArtificerError {
  return new ArtificerError("tool/denied", `${entry.path} is not allowed: ${reason}.`, {
    details: { tool: entry.path, effect: entry.definition.effect, reason },
    hint: "Do it another way; calling it again changes nothing.",
  });
}

/** A person said no. */
export function denied(subject: string, decision: ApprovalDecision): ArtificerError {
  const reason = decision.decision === "deny" ? decision.reason : undefined;
  return new ArtificerError(
    "approval/denied",
    `${subject} was not approved${reason === undefined ? "." : `: ${reason}`}`,
    {
      details: { subject, reason },
      hint: "A person said no. Do it another way, or ask them; calling it again only asks again.",
    },
  );
}

/** What was decided can't be done; the request waits on. */
export function notADecision(why: string): ArtificerError {
  return new ArtificerError("approval/invalid-decision", `This can't be done: ${why}.`, {
    hint: "Change the arguments, or deny the call.",
  });
}
