import type { ApprovalDecision, ApprovalRequest } from "@artificer/runtime";
import { type InputRequest, inputRequired, inputResponse } from "@modelcontextprotocol/server";
import { z } from "zod";

const choices = ["allow once", "allow for this session", "deny"] as const;

const answer = z.object({
  decision: z.enum(choices).optional(),
  arguments: z.string().optional(),
  result: z.string().optional(),
  reason: z.string().optional(),
});

/** What the person behind an MCP client is asked, as a form of plain fields. */
export function approvalForm(request: ApprovalRequest, problem: string | undefined): InputRequest {
  const { kind, tool, effect, args, reason, code, line, cell } = request;
  const what = tool === undefined ? `Cell ${cell} wants to run.` : `Cell ${cell} wants to call ${tool} (${effect}).`;
  const parts = [
    ...(problem === undefined ? [] : [`That could not be done: ${problem}`]),
    `${what} Asked because ${reason}.`,
    ...(args === undefined ? [] : [`Arguments: ${JSON.stringify(args)}`]),
    ...(code === undefined ? [] : [`${line === undefined ? "Code" : `Around line ${line}`}:\n${code}`]),
  ];
  const text = (description: string) => ({ type: "string" as const, description });
  const external = kind === "external";
  return inputRequired.elicit({
    message: parts.join("\n\n"),
    requestedSchema: {
      type: "object",
      properties: {
        decision: {
          type: "string",
          enum: external ? ["answer", "deny"] : [...choices],
          description: "What becomes of it",
        },
        ...(external ? { result: text("Its result, as JSON") } : {}),
        ...(external || args === undefined
          ? {}
          : { arguments: text("Changed arguments, as JSON; empty to leave them") }),
        reason: text("With deny: why, for the model to read"),
      },
      required: ["decision"],
    },
  });
}

/** What a client answered to one request; an error for what is no decision, undefined where there is no answer to it. */
export function decisionOfForm(
  responses: Readonly<Record<string, unknown>> | undefined,
  key: string,
  request: ApprovalRequest,
): ApprovalDecision | Error | undefined {
  const view = inputResponse(responses as Record<string, unknown> | undefined, key);
  if (view.kind !== "elicit") return undefined;
  if (view.action !== "accept") return { decision: "deny", reason: `The person chose to ${view.action}.` };
  const external = request.kind === "external";
  const said = { ...view.content };
  if (external && said.decision === "answer") delete said.decision;
  const parsed = answer.safeParse(said);
  if (!parsed.success) return new Error("The answer does not fit the form.");
  const { decision, reason } = parsed.data;
  if (decision === "deny") return { decision: "deny", ...(reason ? { reason } : {}) };
  try {
    if (external) return { decision: "answer", result: JSON.parse(parsed.data.result ?? "") };
    if (decision === undefined) return new Error("The answer holds no decision.");
    const edited = parsed.data.arguments?.trim();
    return {
      decision: "allow",
      scope: decision === "allow once" ? "once" : "session",
      ...(edited ? { args: JSON.parse(edited) as Record<string, unknown> } : {}),
    };
  } catch {
    return new Error(`${external ? "The result" : "The arguments"} can't be read as JSON.`);
  }
}
