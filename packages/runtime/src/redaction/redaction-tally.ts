import type { OnRedacted } from "./redacting-stream.js";

/** Counts what was redacted in one cell, by kind. */
export interface RedactionTally {
  readonly onRedacted: OnRedacted;
  /** What to tell the reader; undefined when nothing was redacted. */
  notice(): string | undefined;
}

export function createRedactionTally(): RedactionTally {
  const counts = new Map<string, number>();
  return {
    onRedacted(kind) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    },
    notice() {
      if (counts.size === 0) return undefined;
      let total = 0;
      for (const count of counts.values()) total += count;
      const kinds = Array.from(counts, ([kind, count]) => (count === 1 ? kind : `${kind} ${count} times`)).join(", ");
      return `${total} ${total === 1 ? "secret was" : "secrets were"} redacted: ${kinds}.`;
    },
  };
}
