import {
  Client,
  type ClientOptions,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { createCappedFetch } from "./capped-fetch.js";
import type { McpDefinition } from "./mcp-definition.js";
import { refuseRequests } from "./refuse-request.js";
import type { ServerTarget } from "./resolve-definition.js";
import { type ServerEnd, StdioTransport } from "./stdio-transport.js";

/** Who servers are told is calling. */
const clientInfo = { name: "artificer", version: "0.1.0" };
/** A server of ten thousand tools is odd but no fault; the start timeout bounds the walk. */
const listMaxPages = 1_000;

/** A server that has been reached and has said who it is. */
export interface ConnectedServer {
  client: Client;
  /** How the process ended, once it has; nothing for a remote server. */
  end(): ServerEnd | undefined;
}

/** What the connection tells its owner. */
export interface ServerEvents {
  onClose(): void;
  onListChanged(): void;
  onRefused(method: string): void;
}

/**
 * Starts or reaches a server and shakes hands with it.
 *
 * @param onTransport told each transport tried, so that a start that takes too long can be ended
 * @throws what the SDK or the transport throws
 */
export async function connectServer(
  target: ServerTarget,
  definition: McpDefinition,
  events: ServerEvents,
  { onTransport }: { onTransport: (transport: Transport) => void },
): Promise<ConnectedServer> {
  const attempt = async (transport: Transport, kind: "process" | "http" | "sse") => {
    onTransport(transport);
    const client = new Client(clientInfo, clientOptions(definition, events));
    refuseRequests(client, (method) => events.onRefused(method));
    await client.connect(transport, { timeout: definition.startTimeoutMs });
    client.onclose = events.onClose;
    client.onerror = (error) => {
      // Neither transport closes itself when its stream is lost for good; calls would wait for ever.
      const lost = kind === "sse" ? error instanceof SseError : /reconnection attempts/i.test(error.message);
      if (lost) void client.close();
    };
    return client;
  };
  if (target.kind === "process") {
    const transport = new StdioTransport(target, definition.maxResultBytes);
    return { client: await attempt(transport, "process"), end: () => transport.end };
  }
  const [first, second] = target.transports;
  try {
    return { client: await attempt(remoteTransport(target, definition, first!), first!), end: () => undefined };
  } catch (error) {
    if (second === undefined || !speaksOtherTransport(error)) throw error;
    return { client: await attempt(remoteTransport(target, definition, second), second), end: () => undefined };
  }
}

function clientOptions(definition: McpDefinition, events: ServerEvents): ClientOptions {
  const { protocol } = definition;
  const listChanged = { autoRefresh: false, debounceMs: 20, onChanged: () => events.onListChanged() };
  return {
    capabilities: {},
    listMaxPages,
    listChanged: { tools: listChanged },
    ...(protocol === "legacy"
      ? {}
      : { versionNegotiation: { mode: protocol === "auto" ? ("auto" as const) : { pin: protocol } } }),
  };
}

function remoteTransport(
  { url, headers }: ServerTarget & { kind: "url" },
  definition: McpDefinition,
  kind: "http" | "sse",
): Transport {
  const options = {
    requestInit: { headers },
    fetch: createCappedFetch(definition.maxResultBytes),
  };
  return kind === "http" ? new StreamableHTTPClientTransport(url, options) : new SSEClientTransport(url, options);
}

/** A server of the older transport answers the first request with 4xx, as the protocol says; 401 and 403 mean what they say. */
function speaksOtherTransport(error: unknown): boolean {
  if (!SdkHttpError.isInstance(error)) return false;
  const { status } = error as unknown as { status: number };
  return status >= 400 && status < 500 && status !== 401 && status !== 403 && status !== 429;
}
