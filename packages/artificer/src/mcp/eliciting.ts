import type { Decider, Outcome } from "@artificer/runtime";
import type { CallToolResult, InputRequiredResult, McpServer, ServerContext } from "@modelcontextprotocol/server";
import type { Session } from "../session/session.js";
import { elicitedRuns } from "./elicited-runs.js";
import { outcomeResult } from "./outcome-result.js";
import { answering } from "./tool-result.js";

type Request = ServerContext["mcpReq"];

/**
 * Runs a cell for an MCP client. What the cell has to ask a person goes to the client as an elicitation, where it can show one: the call is
 * answered with the question, and goes on where it was when the client calls again with the answer.
 */
export function eliciting(
  { server }: McpServer,
  session: Session,
  request: Request,
  run: (options: { signal: AbortSignal; approve?: Decider }) => Promise<Outcome>,
): Promise<CallToolResult | InputRequiredResult> {
  return answering<CallToolResult | InputRequiredResult>(async () => {
    const { signal } = request;
    if (!canElicit(server.getClientCapabilities(), request)) return outcomeResult(await run({ signal }));
    const runs = elicitedRuns(session);
    const state = request.requestState<string>();
    const running = state === undefined ? runs.start(run) : runs.find(state);
    if (state !== undefined) running.answer(request.inputResponses);
    const next = await running.proceed(signal);
    return "ask" in next ? next.ask : outcomeResult(next.outcome);
  });
}

interface Capabilities {
  elicitation?: unknown;
}

/** A client says what it can at the start, or, in newer versions of the protocol, with each request. */
function canElicit(atStart: Capabilities | undefined, { envelope }: Request): boolean {
  const told = Object.values(envelope ?? {}).find(
    (part): part is Capabilities => typeof part === "object" && part !== null && "elicitation" in part,
  );
  return (told ?? atStart)?.elicitation !== undefined;
}
