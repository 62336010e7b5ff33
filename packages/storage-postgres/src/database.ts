import type { CallGate } from "@artificer/protocol";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { Tables } from "./schema/tables.js";

/** A drizzle database of any driver. */
export type Database = PgDatabase<PgQueryResultHKT>;

/** What all of one opening share. */
export interface DatabaseBase {
  readonly db: Database;
  readonly tables: Tables;
  /** The first part of every key; no query goes without it. */
  readonly tenant: string;
  readonly gate: CallGate;
  /** The database by name, without its password, for messages. */
  readonly name: string;
}

/** What records and blobs of one opening share. */
export interface StoreBase extends DatabaseBase {
  /** Told of each key that was written or deleted. */
  changed(key: string): void;
}
