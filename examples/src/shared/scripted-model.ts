import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** What a request for a chat completion says, as far as a script looks at it. */
export interface ChatRequest {
  model: string;
  messages: { role: string; content: unknown; tool_call_id?: string; tool_calls?: { id: string }[] }[];
  tools?: { type: string; function: { name: string; description: string; parameters: Record<string, unknown> } }[];
}

/** A turn of the model: a cell to run, arguments that are no JSON, or words. `last` is what the tool answered before. */
export type Turn = (last: string) => { code: string } | { garbage: string } | { say: string };

/** A server that speaks OpenAI's chat completions as a script says, and refuses requests that are none. */
export async function startScriptedModel(turns: readonly Turn[]) {
  const requests: ChatRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request)) as ChatRequest;
    const problem = request.url === "/v1/chat/completions" ? problemOf(body) : `no such path: ${request.url}`;
    const turn = turns[requests.push(body) - 1];
    if (problem !== undefined || turn === undefined) {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: problem ?? "the script is over" } }));
      return;
    }
    const last = body.messages.at(-1);
    const step = turn(last?.role === "tool" ? String(last.content) : "");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(completion(step, requests.length)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function completion(step: ReturnType<Turn>, id: number) {
  const args = "code" in step ? JSON.stringify({ code: step.code }) : "garbage" in step ? step.garbage : undefined;
  const call = { id: `call-${id}`, type: "function", function: { name: "execute", arguments: args } };
  const message =
    args === undefined
      ? { role: "assistant", content: "say" in step ? step.say : "" }
      : { role: "assistant", content: null, tool_calls: [call] };
  return {
    id: `completion-${id}`,
    object: "chat.completion",
    created: 0,
    model: "scripted",
    choices: [{ index: 0, message, finish_reason: args === undefined ? "stop" : "tool_calls" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

/** What a real server would refuse: a call without its answer, an answer without its call, a function that is badly described. */
function problemOf({ messages, tools = [] }: ChatRequest): string | undefined {
  const open = new Set<string>();
  for (const { role, tool_call_id: answered, tool_calls: calls = [] } of messages) {
    if (role === "tool" && !open.delete(answered ?? "")) return `an answer to no call: ${answered}`;
    if (role !== "tool" && open.size > 0) return `a call without its answer: ${[...open].join(", ")}`;
    for (const { id } of calls) open.add(id);
  }
  if (open.size > 0) return `a call without its answer: ${[...open].join(", ")}`;
  for (const { type, function: described } of tools) {
    const good = /^[a-zA-Z0-9_-]{1,64}$/.test(described.name) && described.parameters.type === "object";
    if (type !== "function" || !good) return `a tool that is no function: ${JSON.stringify(described)}`;
  }
  return undefined;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
