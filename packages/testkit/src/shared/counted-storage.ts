import type { Storage } from "@artificer/protocol";

/** What was read one by one; listings are not counted. */
export interface CountedReads {
  storage: Storage;
  /** Keys of the blobs read, in order. */
  readonly blobs: string[];
  /** Keys of the records read, in order. */
  readonly records: string[];
}

/** Any storage, and what is read of it. */
export function countReads(storage: Storage): CountedReads {
  const counted: CountedReads = { storage, blobs: [], records: [] };
  counted.storage = {
    ...storage,
    records: {
      ...storage.records,
      get(key, options) {
        counted.records.push(key);
        return storage.records.get(key, options);
      },
    },
    blobs: {
      ...storage.blobs,
      read(key, options) {
        counted.blobs.push(key);
        return storage.blobs.read(key, options);
      },
    },
  };
  return counted;
}
