import { sql } from "drizzle-orm";
import type { DatabaseBase } from "../database.js";

/** Tells other processes what changed. */
export interface Announcer {
  changed(scope: string): void;
  /** Sends what still waits. */
  finish(): Promise<void>;
}

/** How long changes are gathered, in milliseconds. */
const gatherMs = 20;
/** The database takes payloads of less than 8,000 bytes; beyond this many characters it is told that something changed. */
const maxPayloadChars = 2_000;

/** Gathers changes for a moment and sends them in one statement. What can't be sent is not: versions tell of it all the same. */
export function createAnnouncer({ db }: Pick<DatabaseBase, "db">, channel: string): Announcer {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<unknown> = Promise.resolve();
  const send = () => {
    timer = undefined;
    const scopes = JSON.stringify([...waiting]);
    waiting.clear();
    const payload = scopes.length > maxPayloadChars ? "" : scopes;
    sending = (async () => db.execute(sql`SELECT pg_notify(${channel}, ${payload})`))().catch(() => {});
  };
  return {
    changed(scope) {
      waiting.add(scope);
      timer ??= setTimeout(send, gatherMs).unref();
    },
    async finish() {
      clearTimeout(timer);
      if (waiting.size > 0) send();
      await sending;
    },
  };
}
