import { ArtificerError } from "@artificer/protocol";
import { type Client, SdkError, SdkErrorCode, type Transport } from "@modelcontextprotocol/client";
import { callError } from "./call-error.js";
import { type ConnectedServer, connectServer } from "./connect-server.js";
import type { McpDefinition } from "./mcp-definition.js";
import { type ResolveContext, resolveDefinition } from "./resolve-definition.js";
import { describeServer, type ServerDescription } from "./server-description.js";
import { type ServerEnd, StdioTransport } from "./stdio-transport.js";

/** What a connection tells its toolkit. */
export interface ConnectionEvents {
  onDescription(description: ServerDescription): void | Promise<void>;
  /** The server asked for something that it does not get. */
  onRefused(method: string): void;
}

type State =
  | { kind: "idle" }
  | { kind: "starting"; ready: Promise<ConnectedServer> }
  | { kind: "open"; server: ConnectedServer }
  | { kind: "closed" };

/**
 * One server, started or reached when first needed and shared by all calls. When it goes away the next call starts it again;
 * every time it is ready, or says that its list has changed, its description is handed on.
 */
export class McpConnection {
  readonly #definition: McpDefinition;
  readonly #context: ResolveContext;
  readonly #events: ConnectionEvents;
  #state: State = { kind: "idle" };
  #transport: Transport | undefined;
  #refreshing: Promise<void> = Promise.resolve();
  #refreshWaits = false;

  constructor(definition: McpDefinition, context: ResolveContext, events: ConnectionEvents) {
    this.#definition = definition;
    this.#context = context;
    this.#events = events;
  }

  /** How the latest process ended; undefined for a remote server. */
  get end(): ServerEnd | undefined {
    return this.#transport instanceof StdioTransport ? this.#transport.end : undefined;
  }

  /**
   * The client of a server that is ready.
   *
   * @throws ArtificerError `tool/unavailable`, `tool/timed-out`, `tool/program-missing`, `tool/secret-missing`, …
   */
  async client(): Promise<Client> {
    const state = this.#state;
    switch (state.kind) {
      case "open":
        return state.server.client;
      case "starting":
        return (await state.ready).client;
      case "closed":
        throw new ArtificerError("tool/unavailable", `The toolkit ${this.#definition.name} is closed.`);
      case "idle": {
        const ready = this.#start();
        this.#state = { kind: "starting", ready };
        return (await ready).client;
      }
    }
  }

  /** Forgets a connection that has proved useless, so that the next call makes a new one. */
  async drop(client: Client): Promise<void> {
    if (this.#state.kind === "open" && this.#state.server.client === client) this.#state = { kind: "idle" };
    await client.close().catch(() => {});
  }

  /** Ends the connection and the whole process tree behind it. Idempotent. */
  async close(): Promise<void> {
    const state = this.#state;
    this.#state = { kind: "closed" };
    if (state.kind === "open") await state.server.client.close().catch(() => {});
    await this.#transport?.close().catch(() => {});
    if (state.kind === "starting") await state.ready.catch(() => {});
  }

  async #start(): Promise<ConnectedServer> {
    const { name, startTimeoutMs, maxResultBytes } = this.#definition;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const error = () => new SdkError(SdkErrorCode.RequestTimeout, `not ready within ${startTimeoutMs} ms`);
      timer = setTimeout(() => reject(error()), startTimeoutMs);
    });
    try {
      const server = await Promise.race([this.#connect(), late]);
      if (this.#state.kind === "closed") throw new ArtificerError("tool/unavailable", `The toolkit ${name} is closed.`);
      this.#state = { kind: "open", server };
      return server;
    } catch (error) {
      await this.#transport?.close().catch(() => {});
      if (this.#state.kind !== "closed") this.#state = { kind: "idle" };
      throw callError(error, { toolkit: name, maxResultBytes, end: this.end, starting: true });
    } finally {
      clearTimeout(timer);
    }
  }

  async #connect(): Promise<ConnectedServer> {
    const target = await resolveDefinition(this.#definition, this.#context);
    let connected: ConnectedServer | undefined;
    const server = await connectServer(
      target,
      this.#definition,
      {
        onClose: () => {
          if (this.#state.kind === "open" && this.#state.server === connected) this.#state = { kind: "idle" };
        },
        onListChanged: () => this.#refresh(),
        onRefused: (method) => this.#events.onRefused(method),
      },
      {
        onTransport: (transport) => {
          this.#transport = transport;
        },
      },
    );
    connected = server;
    await this.#events.onDescription(await describeServer(server.client, this.#definition.startTimeoutMs));
    return server;
  }

  /** One at a time, so that an older list never overwrites a newer one; and at most one waits, however often it is asked for. */
  #refresh(): void {
    if (this.#refreshWaits) return;
    this.#refreshWaits = true;
    this.#refreshing = this.#refreshing.then(async () => {
      this.#refreshWaits = false;
      if (this.#state.kind !== "open") return;
      try {
        await this.#events.onDescription(
          await describeServer(this.#state.server.client, this.#definition.startTimeoutMs),
        );
      } catch {
        // The server is going away or talks nonsense: the call that meets it says so.
      }
    });
  }
}
