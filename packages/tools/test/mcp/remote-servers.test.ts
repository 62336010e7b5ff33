// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${VAR}` is what definitions write for a variable of the host.
import { type ChildProcess, spawn } from "node:child_process";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { freePort } from "@artificer/testkit/services";
import { afterEach, describe, expect, it } from "vitest";
import { checkMcpDefinition, type McpDefinitionInput, openMcpToolkit } from "../../src/mcp/index.js";
import { callContext } from "./fixture-server.js";

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const open = async (url: string, fields: Partial<McpDefinitionInput> = {}, options = {}) => {
  const definition = checkMcpDefinition({ type: "mcp", name: "remote", url, ...fields }, "remote");
  const toolkit = await openMcpToolkit(definition, options);
  cleanups.push(() => toolkit.close());
  return toolkit;
};

/** The server-everything of npm (on the v1 SDK) over a transport of HTTP. */
async function everything(transport: "sse" | "streamableHttp", port: number): Promise<ChildProcess> {
  const script = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));
  const env = { PATH: process.env.PATH, PORT: String(port) };
  const child = spawn(process.execPath, [script, transport], { env, stdio: ["ignore", "pipe", "pipe"] });
  cleanups.push(() => stop(child));
  let said = "";
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      if (/listening|running/i.test(said)) resolve();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("exit", () => reject(new Error(`server-everything ended: ${said}`)));
  });
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exited;
}

/** A remote server of our own that answers each request as it is told. */
async function remote(answer: (message: Message, response: ServerResponse, request: IncomingMessage) => void) {
  const server: Server = createServer(async (request, response) => {
    if (request.method !== "POST") return response.writeHead(405).end();
    let body = "";
    for await (const chunk of request) body += chunk;
    const message = JSON.parse(body) as Message;
    if (message.id === undefined) return response.writeHead(202).end();
    if (message.method === "initialize") {
      const { protocolVersion } = message.params as { protocolVersion: string };
      const serverInfo = { name: "fixture", version: "1" };
      return json(response, message.id, { protocolVersion, capabilities: { tools: {} }, serverInfo });
    }
    if (message.method === "tools/list")
      return json(response, message.id, { tools: [{ name: "t", inputSchema: { type: "object" } }] });
    answer(message, response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

interface Message {
  id?: number;
  method: string;
  params: unknown;
}

function json(response: ServerResponse, id: number | undefined, result: unknown): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
}

function events(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "content-type": "text/event-stream" });
}

const text = (value: string) => ({ content: [{ type: "text", text: value }] });

describe("the server-everything of npm over HTTP", () => {
  it("[P2] is reached by streamable HTTP, and reached again after it was started anew", async () => {
    const port = await freePort();
    const first = await everything("streamableHttp", port);
    const toolkit = await open(`http://127.0.0.1:${port}/mcp`);
    expect(await toolkit.call("echo", { message: "a" }, callContext())).toBe("Echo: a");
    await stop(first);
    await expect(toolkit.call("echo", { message: "b" }, callContext())).rejects.toMatchObject({
      code: "tool/unavailable",
    });
    await everything("streamableHttp", port);
    expect(await toolkit.call("echo", { message: "c" }, callContext())).toBe("Echo: c");
  });

  it("[P2] is reached by SSE, asked for or found out, and its death in mid-call is told", async () => {
    const port = await freePort();
    const server = await everything("sse", port);
    const asked = await open(`http://127.0.0.1:${port}/sse`, { transport: "sse" });
    const found = await open(`http://127.0.0.1:${port}/sse`);
    for (const toolkit of [asked, found]) {
      expect(await toolkit.call("echo", { message: "a" }, callContext())).toBe("Echo: a");
    }
    const call = asked.call("trigger-long-running-operation", { duration: 30, steps: 3 }, callContext());
    setTimeout(() => server.kill("SIGKILL"), 200);
    await expect(call).rejects.toMatchObject({ code: expect.stringMatching(/^tool\/(crashed|unavailable)$/) });
  });
});

describe("a remote server", () => {
  it("[P2] gets its headers with secrets put in, which no error shows", async () => {
    const seen: (string | undefined)[] = [];
    const url = await remote((message, response, request) => {
      seen.push(request.headers.authorization);
      const error = { code: -32000, message: `bad key ${request.headers.authorization}` };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, error }));
    });
    const toolkit = await open(
      url,
      { headers: { Authorization: "Bearer ${KEY}" } },
      { environment: { KEY: "top-secret-1" } },
    );
    const refusal = toolkit.call("t", {}, callContext());
    await expect(refusal).rejects.toMatchObject({
      code: "tool/failed",
      message: expect.stringContaining("[redacted]"),
    });
    expect(seen).toEqual(["Bearer top-secret-1"]);
  });

  it("[P2] that can't be reached, or answers 500 or 401, is told as such", async () => {
    await expect(open(`http://127.0.0.1:${await freePort()}/mcp`)).rejects.toMatchObject({
      code: "tool/unavailable",
      message: expect.stringContaining("ECONNREFUSED"),
    });
    for (const status of [500, 401]) {
      const server = createServer((_, response) => response.writeHead(status).end("no"));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      cleanups.push(() => void server.close());
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
      await expect(open(url)).rejects.toMatchObject({ code: "tool/unavailable" });
    }
  });

  it("[P2] that never answers is given up after the start's bound", async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    cleanups.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    await expect(open(url, { startTimeoutMs: 300 })).rejects.toMatchObject({ code: "tool/timed-out" });
  });

  it("[P2] whose answer is huge is refused, as JSON and as an event, and goes on serving", async () => {
    let kind = "";
    const url = await remote((message, response) => {
      const answer = JSON.stringify({
        jsonrpc: "2.0",
        id: message.id,
        result: text("x".repeat(kind === "" ? 5 : 50_000)),
      });
      if (kind === "json") response.setHeader("content-type", "application/json").end(answer);
      else events(response).end(`event: message\ndata: ${answer}\n\n`);
    });
    const toolkit = await open(url, { maxResultBytes: 10_000 });
    for (kind of ["json", "events"]) {
      await expect(toolkit.call("t", {}, callContext())).rejects.toMatchObject({ code: "tool/result-too-large" });
    }
    kind = "";
    expect(await toolkit.call("t", {}, callContext())).toBe("xxxxx");
  });

  it("[P2] that sends without end is cut off", async () => {
    const url = await remote((_, response) => {
      events(response).write("data: ");
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(1 << 16)));
        response.once("drain", more);
      };
      more();
    });
    const toolkit = await open(url, { maxResultBytes: 10_000 });
    await expect(toolkit.call("t", {}, callContext())).rejects.toMatchObject({ code: "tool/result-too-large" });
  });

  it("[P2] that breaks off before it has answered leaves no call waiting", async () => {
    const url = await remote((_, response) => {
      events(response).write(": working\n\n");
      setTimeout(() => response.end(), 30);
    });
    const toolkit = await open(url);
    await expect(toolkit.call("t", {}, callContext())).rejects.toMatchObject({ code: "tool/crashed" });
  });
});
