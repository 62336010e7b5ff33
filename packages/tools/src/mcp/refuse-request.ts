import { type Client, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";

/** Why a request of a server is not answered, by its method. */
const reasons: Record<string, string> = {
  "sampling/createMessage": "tools have no model here to ask.",
  "elicitation/create":
    "nobody is asked anything in a server's name; what it needs belongs into the call's arguments or its configuration.",
  "roots/list": "folders are named in the server's arguments or environment.",
};

/** What a server is told that asks for something beyond tools, resources and prompts. */
export function refusedRequest(method: string): string {
  return reasons[method] ?? "nothing of that kind is offered.";
}

/** Answers whatever a server asks of its client with a refusal that says why, and has it told, each method once. */
export function refuseRequests(client: Client, onRefused: (method: string) => void): void {
  const told = new Set<string>();
  client.fallbackRequestHandler = async ({ method }) => {
    const known = Object.hasOwn(reasons, method) ? method : "something unknown";
    if (!told.has(known)) onRefused(known);
    told.add(known);
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `Refused: ${refusedRequest(method)}`);
  };
}
