import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ToolCallContext } from "@artificer/protocol";
import type { HttpToolkit, HttpToolkitOptions } from "../../src/http/index.js";
import { checkHttpDefinition, type HttpDefinitionInput, openHttpToolkit } from "../../src/http/index.js";

/** A request as the local server got it. */
export interface Seen {
  method: string;
  /** Path and query exactly as they came. */
  url: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

/** A real server on a free port of the loopback. */
export interface LocalServer {
  url: string;
  port: number;
  seen: Seen[];
  close(): void;
}

/** Starts one that answers as it is told; by default with `{}`. */
export async function localServer(
  answer: (seen: Seen, response: ServerResponse) => void = (_, response) => json(response, {}),
): Promise<LocalServer> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(chunks) });
    answer(seen.at(-1)!, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** A toolkit whose loopback is granted, since that is where the tests' servers are. */
export function openLocal(
  fields: Partial<HttpDefinitionInput>,
  options: HttpToolkitOptions = {},
): Promise<HttpToolkit> {
  const definition = checkHttpDefinition({ type: "http", name: "api", ...fields }, "api");
  return openHttpToolkit(definition, { allow: ["127.0.0.1"], ...options });
}

/** A call's context as the host makes it. */
export function callContext(fields: Partial<ToolCallContext> = {}): ToolCallContext {
  return { signal: new AbortController().signal, session: "session", cell: 1, ...fields };
}
