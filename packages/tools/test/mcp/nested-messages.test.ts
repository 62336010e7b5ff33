import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { checkMcpDefinition, openMcpToolkit } from "../../src/mcp/index.js";
import { createDepthScanner } from "../../src/mcp/message-depth.js";
import { callContext } from "./fixture-server.js";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const deep = "[".repeat(100_000) + "]".repeat(100_000);
const answerTo = (id: unknown, result: unknown) => JSON.stringify({ jsonrpc: "2.0", id, result });
const good = (id: unknown) => answerTo(id, { content: [{ type: "text", text: "here" }] });
const nested = (id: unknown) =>
  `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"a":${deep}}}}`;
const notice = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":${deep}}}`;
const question = (id: unknown) => `{"jsonrpc":"2.0","id":${id},"method":"roots/list","params":{"a":${deep}}}`;

/** What each tool of the servers below is answered with, message by message. */
const answers: Record<string, (id: unknown) => string[]> = {
  good: (id) => [good(id)],
  deep: (id) => [nested(id)],
  notice: (id) => [notice, good(id)],
  question: (id) => [question(id), good(id)],
};

interface Message {
  id?: number;
  method: string;
  params: { protocolVersion?: string; name?: string };
}

function messagesFor({ id, method, params }: Message): string[] {
  const serverInfo = { name: "s", version: "1" };
  const { protocolVersion } = params ?? {};
  if (method === "initialize") return [answerTo(id, { protocolVersion, capabilities: { tools: {} }, serverInfo })];
  const tools = Object.keys(answers).map((name) => ({ name, inputSchema: { type: "object" } }));
  if (method === "tools/list") return [answerTo(id, { tools })];
  return answers[params.name!]!(id);
}

async function listen(answer: (message: Message | undefined, response: ServerResponse, url: string) => void) {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    answer(request.method === "POST" ? JSON.parse(body) : undefined, response, request.url!);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function open(url: string, transport: "http" | "sse") {
  const toolkit = await openMcpToolkit(checkMcpDefinition({ type: "mcp", name: "s", url, transport }, "test"));
  cleanups.push(() => toolkit.close());
  return (tool: string) => toolkit.call(tool, {}, callContext());
}

const refused = { code: "tool/output-unparsable", message: expect.stringContaining("nested over 600") };
const event = (message: string) => `event: message\ndata: ${message}\n\n`;
/** The same message over several lines of an event, as the format allows. */
const lines = (message: string) =>
  `${message
    .split(/(?<=,)/)
    .map((part) => `data: ${part}\n`)
    .join("")}\n`;

describe("messages nested without end", () => {
  it("[P2] are refused when an answer is JSON, and the server is asked again", async () => {
    const url = await listen((message, response) => {
      if (message === undefined) return response.writeHead(405).end();
      if (message.id === undefined) return response.writeHead(202).end();
      response.setHeader("content-type", "application/json").end(messagesFor(message)[0]);
    });
    const call = await open(url, "http");
    await expect(call("deep")).rejects.toMatchObject(refused);
    expect(await call("good")).toBe("here");
  });

  it.each([
    ["in one line", event],
    ["over several lines", lines],
  ])("[P2] are refused as events of an answer, %s; what is no answer is passed over", async (_how, write) => {
    const url = await listen((message, response) => {
      if (message === undefined) return response.writeHead(405).end();
      if (message.id === undefined) return response.writeHead(202).end();
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(messagesFor(message).map(write).join(""));
    });
    const call = await open(url, "http");
    await expect(call("deep")).rejects.toMatchObject(refused);
    for (const tool of ["notice", "question", "good"]) expect(await call(tool), tool).toBe("here");
  });

  it("[P2] are refused on the one stream of an SSE server, which goes on", async () => {
    let stream: ServerResponse | undefined;
    const url = await listen((message, response) => {
      if (message === undefined) {
        stream = response.writeHead(200, { "content-type": "text/event-stream" });
        stream.write("event: endpoint\ndata: /messages\n\n");
        return;
      }
      response.writeHead(202).end();
      if (message.id !== undefined) for (const each of messagesFor(message)) stream?.write(event(each));
    });
    const call = await open(`${url}/sse`, "sse");
    await expect(call("deep")).rejects.toMatchObject(refused);
    for (const tool of ["notice", "question", "good"]) expect(await call(tool), tool).toBe("here");
  });

  it("[P2] are counted outside of texts, and however the text is cut", () => {
    const scan = (text: string, size: number) => {
      const deeper = createDepthScanner(3);
      return Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        deeper(text.slice(at * size, (at + 1) * size)),
      ).some(Boolean);
    };
    for (const size of [1, 2, 3, 100]) {
      expect(scan('{"a":[{"b":1}],"c":"[[[[{{{{ \\"[[[[ \\\\"}', size)).toBe(false);
      expect(scan("[[[]],[[]],[[]]]", size)).toBe(false);
      expect(scan('{"a":[{"b":[]}]}', size)).toBe(true);
    }
  });
});

describe("the text of a refusal", () => {
  it("[P2] that goes on without end is cut off, and the refusal told", async () => {
    let written = 0;
    const url = await listen((message, response) => {
      if (message === undefined) return response.writeHead(405).end();
      if (message.id === undefined) return response.writeHead(202).end();
      if (message.method !== "tools/call")
        return response.setHeader("content-type", "application/json").end(messagesFor(message)[0]);
      response.writeHead(500, { "content-type": "text/plain" });
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(1 << 16))) written += 1 << 16;
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    const call = await open(url, "http");
    await expect(call("good")).rejects.toMatchObject({ code: expect.stringMatching(/^tool\//) });
    expect(written).toBeLessThan(64 * 2 ** 20);
  });
});
