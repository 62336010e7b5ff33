import {
  ArtificerError,
  type BlobInfo,
  type JsonObject,
  type Page,
  type Storage,
  type StoredRecord,
  storageKey,
  type WriteOptions,
} from "@artificer/protocol";

/** How often each kind of call was made since the counts were last reset. */
export interface StorageCounts {
  recordReads: number;
  recordWrites: number;
  recordLists: number;
  blobReads: number;
  blobWrites: number;
  blobLists: number;
  /** Keys of the blobs read, in order. */
  blobsRead: string[];
}

/** A whole storage in memory that counts its calls: small, but with revisions, compare-and-set and paging like any other. */
export function createCountingStorage(): Storage & { counts: StorageCounts; reset(): void } {
  const records = new Map<string, StoredRecord>();
  const blobs = new Map<string, { info: BlobInfo; bytes: Uint8Array }>();
  const none = (): StorageCounts => ({
    recordReads: 0,
    recordWrites: 0,
    recordLists: 0,
    blobReads: 0,
    blobWrites: 0,
    blobLists: 0,
    blobsRead: [],
  });
  let revision = 0;
  const storage = {
    kind: "counting-memory",
    capabilities: { vectors: false, leases: false, watch: true, durable: false },
    counts: none(),
    reset: () => void Object.assign(storage.counts, none()),
    records: {
      async get(key: string) {
        storage.counts.recordReads++;
        return structuredClone(records.get(key));
      },
      async put(key: string, value: JsonObject, options: WriteOptions = {}) {
        storage.counts.recordWrites++;
        expectRevision(key, records.get(key)?.revision, options);
        const stored = { key: storageKey(key), value: structuredClone(value), revision: String(++revision) };
        records.set(stored.key, stored);
        return stored.revision;
      },
      async delete(key: string, options: WriteOptions = {}) {
        expectRevision(key, records.get(key)?.revision, options);
        return records.delete(key);
      },
      async list(prefix: string, options: { cursor?: string; limit?: number } = {}) {
        storage.counts.recordLists++;
        return page(
          [...records.values()].map((record) => structuredClone(record)),
          prefix,
          options,
        );
      },
    },
    blobs: {
      async stat(key: string) {
        return blobs.get(key)?.info;
      },
      async read(key: string) {
        storage.counts.blobReads++;
        storage.counts.blobsRead.push(key);
        const blob = blobs.get(key);
        if (blob === undefined) return undefined;
        // Two chunks, for a reader that takes the first one for all.
        const half = blob.bytes.byteLength >> 1;
        return {
          info: blob.info,
          bytes: (async function* () {
            yield blob.bytes.slice(0, half);
            yield blob.bytes.slice(half);
          })(),
        };
      },
      async write(
        key: string,
        content: Uint8Array | AsyncIterable<Uint8Array>,
        options: WriteOptions & { metadata?: JsonObject } = {},
      ) {
        storage.counts.blobWrites++;
        const chunks: Uint8Array[] = [];
        if (content instanceof Uint8Array) chunks.push(content);
        else for await (const chunk of content) chunks.push(chunk);
        const bytes = new Uint8Array(Buffer.concat(chunks));
        expectRevision(key, blobs.get(key)?.info.revision, options);
        const info: BlobInfo = {
          key: storageKey(key),
          size: bytes.byteLength,
          revision: String(++revision),
          metadata: options.metadata ?? {},
          updatedAt: new Date(),
        };
        blobs.set(info.key, { info, bytes });
        return info;
      },
      async delete(key: string, options: WriteOptions = {}) {
        expectRevision(key, blobs.get(key)?.info.revision, options);
        return blobs.delete(key);
      },
      async list(prefix: string, options: { cursor?: string; limit?: number } = {}) {
        storage.counts.blobLists++;
        return page(
          [...blobs.values()].map(({ info }) => info),
          prefix,
          options,
        );
      },
    },
    watch: {
      async version(prefix: string) {
        const all = [...records.values(), ...[...blobs.values()].map(({ info }) => info)];
        return all.flatMap(({ key, revision }) => (key.startsWith(prefix) ? [`${key} ${revision}`] : [])).join();
      },
      subscribe: async () => ({ stop: async () => {} }),
    },
    async close() {},
  };
  return storage;
}

function expectRevision(key: string, stored: string | undefined, { ifRevision }: WriteOptions): void {
  if (ifRevision === undefined || (ifRevision ?? undefined) === stored) return;
  throw new ArtificerError("storage/conflict", `${key} was changed by someone else.`);
}

function page<T extends { key: string }>(
  all: T[],
  prefix: string,
  { cursor, limit = 3 }: { cursor?: string; limit?: number },
): Page<T> {
  const matching = all
    .filter(({ key }) => key.startsWith(prefix) && (cursor === undefined || key > cursor))
    .sort((left, right) => Buffer.compare(Buffer.from(left.key), Buffer.from(right.key)));
  const items = matching.slice(0, limit);
  return items.length < matching.length ? { items, cursor: items.at(-1)!.key } : { items };
}
