import { type ChangeFeed, changeScope, scopeMeets, storagePrefix } from "@artificer/protocol";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { DatabaseBase } from "../database.js";
import { inBounds, type KeyBounds, keyBounds, onceForBounds } from "../key-range.js";
import { withPostgresErrors } from "../postgres-error.js";
import { unmapped } from "../unmapped.js";
import { type Announcer, createAnnouncer } from "./announcer.js";
import type { ChangeChannel, OpenChangeChannel } from "./change-channel.js";
import { channelName } from "./channel-name.js";

/** The feed, how the stores tell it what they changed, and how what it opened is ended. */
export interface PostgresChanges {
  feed: ChangeFeed;
  changed(key: string): void;
  close(): Promise<void>;
}

/** Prefixes whose last version is remembered at most. */
const maxKnown = 100;

/**
 * Which transactions the statement sees: while it is the same text, nothing was committed in between. An empty one where that can't be told:
 * what a standby calls its transactions leaves out some that run. Another server, or the same after a restart, began at another moment.
 */
const sight: SQL<string> = sql`CASE WHEN pg_is_in_recovery() THEN '' ELSE pg_postmaster_start_time()::text || ' ' || txid_current_snapshot()::text END`;

/**
 * The version is a digest of the revisions that are there: a look at the index of keys, exact, and nothing that writers would have to
 * wait for, as they would for a counter; it is not even taken when the server committed nothing since the last one. Notifications are sent after the writes, together: the database lets one that notifies commit at a time.
 */
export function createPostgresChanges(
  base: DatabaseBase,
  schema: string,
  openChannel: OpenChangeChannel,
): PostgresChanges {
  const { db, tables, tenant, gate, name } = base;
  const channelId = channelName(schema, tenant);
  const announcer: Announcer = createAnnouncer(base, channelId);
  const listeners = new Set<{ prefix: string; changed: () => void }>();
  let channel: Promise<ChangeChannel> | undefined;
  // Without scopes: something may have been missed.
  const heard = (scopes: string[] | undefined) => {
    for (const { prefix, changed } of listeners)
      if (scopes === undefined || scopes.some((scope) => scopeMeets(scope, prefix))) changed();
  };
  const digest = (table: (typeof tables)["records"] | (typeof tables)["blobs"], bounds: Pick<KeyBounds, "end">) =>
    db
      .select({ digest: sql`count(*) || ' ' || coalesce(sum(hashtextextended(${table.revision}, 0)), 0)` })
      .from(table as (typeof tables)["records"])
      .where(and(eq(table.tenant, tenant), inBounds(table.key, { ...bounds, after: undefined })));
  // Put together once.
  const look = onceForBounds((bounds) => {
    const version = sql<string>`(${digest(tables.records, bounds)}) || ', ' || (${digest(tables.blobs, bounds)})`;
    const columns = { sight: sight.as("sight"), version: version.as("version") };
    return unmapped(db.select(columns).from(sql`(SELECT 1) AS one`).prepare(""));
  });
  const sightAlone = unmapped(
    db
      .select({ sight: sight.as("sight") })
      .from(sql`(SELECT 1) AS one`)
      .prepare(""),
  );
  let asking: Promise<string> | undefined;
  /** Of one moment, for all who ask before it is sent: a search asks for three versions at once. */
  const askSight = (): Promise<string> => {
    asking ??= (async () => {
      await new Promise((resolve) => setImmediate(resolve));
      asking = undefined;
      return (await sightAlone({}))[0]?.sight ?? "";
    })();
    return asking;
  };
  const known = new Map<string, { sight: string; version: string }>();
  return {
    feed: {
      version: (rawPrefix, { signal } = {}) =>
        gate.pass(signal, async () => {
          const bounds = keyBounds(rawPrefix, {});
          // No key can be there.
          if (bounds === undefined) return "none";
          const last = known.get(bounds.from);
          if (last !== undefined && last.sight !== "") {
            if ((await withPostgresErrors("read", name, askSight)) === last.sight) return last.version;
          }
          const [row] = await withPostgresErrors("read", name, () => look(bounds)({ ...bounds }));
          const version = row?.version ?? "none";
          known.delete(bounds.from);
          known.set(bounds.from, { sight: row?.sight ?? "", version });
          for (const oldest of known.keys()) if (known.size > maxKnown) known.delete(oldest);
          return version;
        }),
      subscribe: (rawPrefix, changed) =>
        gate.pass(undefined, async () => {
          const listener = { prefix: storagePrefix(rawPrefix), changed };
          channel ??= openChannel(channelId, heard);
          try {
            await withPostgresErrors("read", name, () => channel as Promise<ChangeChannel>);
          } catch (error) {
            channel = undefined;
            throw error;
          }
          listeners.add(listener);
          return { stop: async () => void listeners.delete(listener) };
        }),
    },
    changed: (key) => announcer.changed(changeScope(key)),
    async close() {
      listeners.clear();
      await announcer.finish();
      await (await channel?.catch(() => undefined))?.close();
    },
  };
}
