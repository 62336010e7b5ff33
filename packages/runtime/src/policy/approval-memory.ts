import { createHash } from "node:crypto";
import { ArtificerError, type Storage } from "@artificer/protocol";
import type { ApprovalDecision } from "./approvals.js";

/** What people have allowed for longer than once. */
export interface ApprovalMemory {
  /** Whether one of the subjects was allowed. */
  knows(subjects: readonly string[]): Promise<boolean>;
  /** @throws ArtificerError `storage/…` when it can't be kept for good */
  remember(subject: string, scope: "session" | "always"): Promise<void>;
}

/** For the session in memory, for good in records below the owner's own prefix: no owner's approval counts for another. */
export function createApprovalMemory({ records }: Storage, owner: string | undefined): ApprovalMemory {
  const session = new Set<string>();
  const prefix = `approvals/${owner === undefined ? "nobody" : hash(owner)}`;
  const keyOf = (subject: string) => `${prefix}/${hash(subject)}`;
  return {
    async knows(subjects) {
      if (subjects.some((subject) => session.has(subject))) return true;
      const found = await Promise.all(subjects.map((subject) => records.get(keyOf(subject))));
      for (const [at, record] of found.entries()) if (record !== undefined) session.add(subjects[at]!);
      return found.some((record) => record !== undefined);
    },
    async remember(subject, scope) {
      session.add(subject);
      if (scope === "session") return;
      await records
        .put(keyOf(subject), { allowedAt: new Date().toISOString() }, { ifRevision: null })
        .catch((thrown) => {
          if (!ArtificerError.is(thrown, "storage/conflict")) throw thrown;
        });
    },
  };
}

/** What can't be read was not allowed: a person is asked once more. */
export function knows(memory: ApprovalMemory, subjects: readonly string[]): Promise<boolean> {
  return memory.knows(subjects).catch(() => false);
}

/** How far an approval reaches. */
export function approvalReach(
  decision: ApprovalDecision & { decision: "allow" },
  byArguments: boolean,
): "arguments" | "tool" {
  return decision.match ?? (byArguments ? "arguments" : "tool");
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
