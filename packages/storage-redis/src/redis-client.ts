/** What a command may be: node-redis takes text and bytes. */
export type Argument = string | Buffer;

/** A connection that is told what others publish. */
export interface RedisListener {
  on(event: "error" | "ready", heard: () => void): unknown;
  connect(): Promise<unknown>;
  subscribe(channel: string, heard: (message: string) => void): Promise<void>;
  destroy(): void;
}

/** What is needed of a client of node-redis 5 (`createClient`), connected. */
export interface RedisClient {
  readonly isOpen: boolean;
  /** Has `disableOfflineQueue: true`. */
  readonly options?: object;
  sendCommand(args: Argument[], options?: object): Promise<unknown>;
  duplicate(): RedisListener;
}

/** What is needed of a cluster's client of node-redis 5 (`createCluster`), connected. */
export interface RedisCluster {
  readonly isOpen: boolean;
  readonly slots: unknown;
  /** Made with `disableOfflineQueue: true` in `defaults`. */
  readonly masters: readonly { readonly client?: unknown }[];
  sendCommand(firstKey: string | undefined, isReadonly: boolean, args: Argument[], options?: object): Promise<unknown>;
  subscribe(channel: string, heard: (message: string) => void): Promise<unknown>;
  /** The listener is only compared, whatever it takes. */
  unsubscribe(channel: string, heard: (message: unknown) => void): Promise<unknown>;
}
