import type { Language, Value } from "@artificer/protocol";

/** What is told of a shared value without giving it. */
export interface SharedInfo {
  name: string;
  /** Encoded size, which counts against the session's limit. */
  bytes: number;
  /** Where it was shared: the language of the cell, or the host. */
  from: Language | "host";
}

/** Values that the cells of a session hand to each other, whatever their language. They live as long as the session. */
export interface SharedValues {
  /** @throws ArtificerError `shared/invalid-name`, `shared/limit-reached`, and what the codec refuses. */
  share(name: string, value: Value, options: { from: SharedInfo["from"] }): SharedInfo;
  /** A copy of the value. @throws ArtificerError `shared/not-found` with the nearest names. */
  take(name: string): Value;
  /** Tells whether there was one. @throws ArtificerError `shared/invalid-name` */
  remove(name: string): boolean;
  /** Lays a value by for a cell of our own making: it is taken once, by the key that this returns, and listed nowhere. */
  stash(value: Value): string;
  /** All of them, the latest last. */
  list(): SharedInfo[];
}
