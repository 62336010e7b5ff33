import type { RecordStore, StoredRecord } from "@artificer/protocol";

/** Every record under a prefix, page by page. */
export async function listRecords(
  records: RecordStore,
  prefix: string,
  options: { signal?: AbortSignal } = {},
): Promise<StoredRecord[]> {
  const all: StoredRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await records.list(prefix, { ...options, cursor });
    all.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return all;
}
