/** The keys of one prefix. The braces put them all into one slot of a cluster, and end the prefix: `a` never reaches into `a:b`. */
export interface Keyspace {
  /** Hash: record's key to revision and value. */
  readonly records: string;
  /** Sorted set: the records' keys, in byte order. */
  readonly recordKeys: string;
  /** Hash: blob's key to what is known of it. */
  readonly blobs: string;
  /** Sorted set: the blobs' keys, in byte order. */
  readonly blobKeys: string;
  /** Hash: blob's key to the bytes of a small one. */
  readonly smallBlobs: string;
  /** Hash: lease's key to token and time. */
  readonly leases: string;
  /** Hash: scope of changes to version. It is the channel too, by which changes are told. */
  readonly versions: string;
  /** Hash: number of the chunk to bytes, of one version of a large blob. */
  chunks(version: string): string;
  /** Vector set: ids and their vectors. */
  vectors(set: string): string;
}

export function createKeyspace(prefix: string): Keyspace {
  const own = `{${prefix}}`;
  return {
    records: `${own}:records`,
    recordKeys: `${own}:record-keys`,
    blobs: `${own}:blobs`,
    blobKeys: `${own}:blob-keys`,
    smallBlobs: `${own}:small-blobs`,
    leases: `${own}:leases`,
    versions: `${own}:versions`,
    chunks: (version) => `${own}:chunks:${version}`,
    vectors: (set) => `${own}:vectors:${set}`,
  };
}
