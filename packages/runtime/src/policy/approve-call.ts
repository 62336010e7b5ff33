import { ArtificerError } from "@artificer/protocol";
import { compileSchema } from "../tools/compile-schema.js";
import type { ToolEntry } from "../tools/tool-entry.js";
import type { ApprovalDesk, AskOptions } from "./approval-desk.js";
import { type ApprovalMemory, approvalReach, knows } from "./approval-memory.js";
import type { ApprovalDecision, ApprovalRequest } from "./approvals.js";
import type { Verdict } from "./compiled-policy.js";
import { denied, notADecision } from "./policy-errors.js";
import { cacheKey } from "./result-cache.js";
import { restoreArguments, shownArguments } from "./shown-arguments.js";
import { sourceAround } from "./source-around.js";
import type { GatedCall } from "./tool-gate.js";

/** Who asks whom, and how. */
export interface ApprovalCircumstances {
  desk: ApprovalDesk;
  memory: ApprovalMemory;
  redact(text: string): string;
  who: Pick<ApprovalRequest, "session" | "owner" | "cell" | "timeoutMs">;
  asking: Pick<AskOptions, "deciders" | "maxPending">;
  /** What the rules say of other arguments of the same tool. */
  judge(args: Record<string, unknown>): Verdict;
}

/** Has a person decide on a call. @returns its result, or the arguments to go on with. @throws ArtificerError `approval/…`, `tool/cancelled` */
export async function approveCall(
  { entry, args, context }: GatedCall,
  verdict: Verdict,
  { desk, memory, redact, who, asking, judge }: ApprovalCircumstances,
): Promise<ApprovalDecision & ({ decision: "answer" } | { decision: "allow" })> {
  const { needs, inputFields, effect, outputSchema } = entry.definition;
  const { language = "python", notes } = context;
  const byTool = `tool\0${entry.path}\0${verdict.byArguments ? verdict.reason : ""}`;
  const byArguments = (given: Record<string, unknown>) =>
    `call\0${cacheKey(entry.toolkit.name, entry.definition.name, given)}`;
  const repeatable = needs === undefined || needs === "confirmation";
  if (repeatable && (await knows(memory, [byTool, byArguments(args)]))) return { decision: "allow", args };
  const accept = (said: ApprovalDecision): ApprovalDecision => {
    if (said.decision === "answer" && outputSchema !== undefined) {
      const fits = compileSchema(outputSchema, entry.path);
      if (!fits(said.result)) throw notADecision(`the result does not fit what ${entry.path} gives`);
    }
    if (said.decision !== "allow" || said.args === undefined) return said;
    const edited = entry.check(restoreArguments(said.args, { args, redact }) as Record<string, unknown>, language);
    const again = judge(edited);
    if (again.action === "deny") throw notADecision(`a rule forbids these arguments: ${again.reason}`);
    return { ...said, args: edited };
  };
  const resume = context.onParked?.();
  try {
    const decision = await desk.ask(
      {
        kind: needs ?? "rule",
        ...who,
        language,
        tool: entry.path,
        effect,
        args: shownArguments(args, redact),
        ...(needs === "input" ? { inputFields: inputFields ?? [] } : {}),
        reason: verdict.action === "ask" ? verdict.reason : `the tool says that it needs ${needWords[needs!]}`,
        ...(context.code === undefined ? {} : codeAround(context.code, context.line, entry, redact)),
        callsSoFar: notes?.callsSoFar ?? 0,
      },
      { ...asking, signal: context.signal, accept },
    );
    if (decision.decision === "deny") throw denied(entry.path, decision);
    if (decision.decision === "answer") {
      notes?.approval("answered");
      return decision;
    }
    notes?.approval(decision.args === undefined ? "allowed" : "edited");
    const final = (decision.args ?? args) as Record<string, unknown>;
    if (repeatable && (decision.scope === "session" || decision.scope === "always"))
      await memory.remember(
        approvalReach(decision, verdict.byArguments) === "tool" ? byTool : byArguments(final),
        decision.scope,
      );
    return { ...decision, args: final };
  } catch (thrown) {
    notes?.approval(ArtificerError.is(thrown, "approval/denied") ? "denied" : "none");
    throw thrown;
  } finally {
    resume?.();
  }
}

function codeAround(
  code: string,
  line: number | undefined,
  { aliases, definition }: ToolEntry,
  redact: (text: string) => string,
) {
  const name = aliases.dotted[0]?.split(".").at(-1) ?? definition.name;
  const around = sourceAround(code, { line, name });
  return { ...around, code: redact(around.code) };
}

const needWords = {
  confirmation: "a confirmation",
  input: "a person's input",
  external: "to be carried out by somebody else",
} as const;
