import { type ChangeFeed, changeScope, scopeMeets, storagePrefix } from "@artificer/protocol";
import { and, eq, sql } from "drizzle-orm";
import type { DatabaseBase } from "../database.js";
import { inBounds, type KeyBounds, keyBounds } from "../key-range.js";
import { withPostgresErrors } from "../postgres-error.js";
import { type Announcer, createAnnouncer } from "./announcer.js";
import type { ChangeChannel, OpenChangeChannel } from "./change-channel.js";
import { channelName } from "./channel-name.js";

/** The feed, how the stores tell it what they changed, and how what it opened is ended. */
export interface PostgresChanges {
  feed: ChangeFeed;
  changed(key: string): void;
  close(): Promise<void>;
}

/**
 * The version is a digest of the revisions that are there: a look at the index of keys, exact, and nothing that writers would have to
 * wait for, as they would for a counter. Notifications are sent after the writes, together: the database lets one that notifies commit at a time.
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
      .select({ digest: sql<string>`count(*) || ' ' || coalesce(sum(hashtextextended(${table.revision}, 0)), 0)` })
      .from(table as (typeof tables)["records"])
      .where(and(eq(table.tenant, tenant), inBounds(table.key, { ...bounds, after: undefined })));
  const digests = (bounds: Pick<KeyBounds, "end">) =>
    digest(tables.records, bounds).unionAll(digest(tables.blobs, bounds)).prepare("");
  // Put together once: a search asks for three versions.
  const ended = digests({ end: "" });
  const endless = digests({ end: undefined });
  return {
    feed: {
      version: (rawPrefix, { signal } = {}) =>
        gate.pass(signal, async () => {
          const bounds = keyBounds(rawPrefix, {});
          // No key can be there.
          if (bounds === undefined) return "none";
          const statement = bounds.end === undefined ? endless : ended;
          const rows = await withPostgresErrors("read", name, () => statement.execute({ ...bounds }));
          return rows.map((row) => row.digest).join(", ");
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
