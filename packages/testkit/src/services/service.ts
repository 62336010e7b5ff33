/** A server that a test file has to itself, or shares with others by an address in the environment. */
export interface Service {
  /** Where it listens, with all that a client needs. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** A server of our own, which a test may stop and start on the same port with the same data. */
export interface OwnService extends Service {
  restart(options?: {
    /** Ends it without a chance to tidy up, as a crash would. */
    crash?: boolean;
  }): Promise<void>;
}
