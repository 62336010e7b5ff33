import type { JsonObject } from "./json.js";
import type { VectorStore } from "./vector-store.js";

/** Names a record or blob: segments joined by `/`, as `storageKey` allows them. */
export type StorageKey = string;

/** A small JSON document with a revision that changes at every write. */
export interface StoredRecord {
  key: StorageKey;
  value: JsonObject;
  revision: string;
}

/** A page of a listing. `cursor` is absent on the last one. */
export interface Page<T> {
  items: T[];
  cursor?: string;
}

/** `ifRevision`: a revision demands that the stored one is still that; `null` demands that nothing is stored. */
export interface WriteOptions {
  ifRevision?: string | null;
  signal?: AbortSignal;
}

/** `fence`: demands that nobody has held the lease's key after this holding; looked at in the one step in which the write is done. */
export interface RecordWriteOptions extends WriteOptions {
  fence?: Lease;
}

export interface ListOptions {
  /** Where a previous page ended. */
  cursor?: string;
  /** Items at most; default 1000. */
  limit?: number;
  signal?: AbortSignal;
}

/**
 * Small JSON with compare-and-set. Listings are by prefix (of the text, not of whole segments), in byte order of the keys.
 * Keys are checked by `storageKey`; a key and keys below it (`a` and `a/b`) stand side by side. An abort throws the signal's own reason.
 */
export interface RecordStore {
  get(key: StorageKey, options?: { signal?: AbortSignal }): Promise<StoredRecord | undefined>;
  /** @returns the new revision. @throws ArtificerError `storage/conflict` when `ifRevision` does not hold, `storage/fenced` when `fence` does not. */
  put(key: StorageKey, value: JsonObject, options?: RecordWriteOptions): Promise<string>;
  /**
   * @returns whether there was one.
   * @throws ArtificerError `storage/conflict`, also when `ifRevision` is given and nothing is stored; `storage/fenced`
   */
  delete(key: StorageKey, options?: RecordWriteOptions): Promise<boolean>;
  /** A cursor stays good while others write: what was there all along is listed once. */
  list(prefix: string, options?: ListOptions): Promise<Page<StoredRecord>>;
}

/** What is known of a blob without reading it. */
export interface BlobInfo {
  key: StorageKey;
  size: number;
  revision: string;
  metadata: JsonObject;
  updatedAt: Date;
}

export interface Blob {
  info: BlobInfo;
  /** May be read once. A reader sees one version whole, whatever is written meanwhile. */
  bytes: AsyncIterable<Uint8Array>;
}

/** Bytes with metadata, streamed. A reader sees the old bytes or the new, never a mixture. Keys, listings and aborts are as for records. */
export interface BlobStore {
  stat(key: StorageKey, options?: { signal?: AbortSignal }): Promise<BlobInfo | undefined>;
  read(key: StorageKey, options?: { signal?: AbortSignal }): Promise<Blob | undefined>;
  /** @throws ArtificerError `storage/conflict`, `storage/full`, `storage/read-only`; nothing is half-written. */
  write(
    key: StorageKey,
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
    options?: WriteOptions & { metadata?: JsonObject },
  ): Promise<BlobInfo>;
  delete(key: StorageKey, options?: WriteOptions): Promise<boolean>;
  list(prefix: string, options?: ListOptions): Promise<Page<BlobInfo>>;
}

/** A right that one holder has at a time. It is data, and may be handed on; whoever has it may renew and release it. */
export interface Lease {
  readonly key: StorageKey;
  /**
   * Grows with every holding of the key, so that whoever guards something by the lease can turn away a holder that stood still
   * for so long that another came after it: the greater number counts. Records do so by themselves when they are written with `fence`.
   */
  readonly token: number;
}

export interface LeaseOptions {
  /** How long it is held unless it is renewed, in milliseconds: a whole number from 1 to a day. */
  ttlMs: number;
  signal?: AbortSignal;
}

/**
 * Leases, counted by the backend's own clock: that of a server, or one that nobody can set, never a client's. A holder should renew
 * well before the time is up, and take a refused renewal for the loss that it is.
 */
export interface LeaseStore {
  /** @returns undefined while somebody holds it. */
  acquire(key: StorageKey, options: LeaseOptions): Promise<Lease | undefined>;
  /** Holds it for so long from now. @returns false when its time was up, or it was released: then it is lost, and not to be had back. */
  renew(lease: Lease, options: LeaseOptions): Promise<boolean>;
  /** @returns false when it was not held any more. */
  release(lease: Lease, options?: { signal?: AbortSignal }): Promise<boolean>;
}

/** Ends a subscription; idempotent. */
export interface Subscription {
  stop(): Promise<void>;
}

/** How to learn of changes without listing. The version alone is to be relied upon; subscriptions only make it known sooner. */
export interface ChangeFeed {
  /**
   * A text that is another one than before whenever a record or blob under the prefix was written or deleted since, by whomever. It may be
   * another without such a change. It costs one look, however much there is on a server.
   */
  version(prefix: string, options?: { signal?: AbortSignal }): Promise<string>;
  /** Calls `changed` soon after something under the prefix may have changed; such a call may also be missing, doubled, or for nothing. */
  subscribe(prefix: string, changed: () => void): Promise<Subscription>;
}

/** What a backend can do beyond records and blobs. What it lacks, the runtime does in memory, and says so. */
export interface StorageCapabilities {
  /** Ranks vectors itself. */
  vectors: boolean;
  /** Leases held by one process at a time, with fencing tokens. */
  leases: boolean;
  /** Tells of changes made by others. */
  watch: boolean;
  /** Writes survive the end of the process. */
  durable: boolean;
}

/** Two stores and what else the backend declares. Skills, artifacts, deps, snapshots and journals are built on it, once. */
export interface Storage {
  readonly kind: string;
  readonly capabilities: StorageCapabilities;
  readonly records: RecordStore;
  readonly blobs: BlobStore;
  /** There exactly when it is declared. */
  readonly leases?: LeaseStore;
  /** There exactly when it is declared. */
  readonly watch?: ChangeFeed;
  /** There exactly when it is declared. */
  readonly vectors?: VectorStore;
  /** What this opening can't do that its kind could, why, and what mends it: a sentence or two each, for `artificer doctor`. */
  readonly notices?: readonly string[];
  /** Lets what is under way finish, and is idempotent. Later calls throw `storage/closed`. */
  close(): Promise<void>;
}
