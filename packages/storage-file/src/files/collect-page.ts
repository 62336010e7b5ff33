import type { Page } from "@artificer/protocol";
import type { KeyFile } from "../names/walk-keys.js";

/** Enough to keep the disk busy, few enough to waste little at a page's end. */
const batchSize = 64;

/** Fills a page from keys in order; those whose file vanished meanwhile are left out. The cursor is the page's last key. */
export async function collectPage<T extends { key: string }>(
  keys: AsyncGenerator<KeyFile, void, void>,
  limit: number,
  load: (file: KeyFile) => Promise<T | undefined>,
  signal?: AbortSignal,
): Promise<Page<T>> {
  const items: T[] = [];
  let exhausted = false;
  // One more than the page holds tells whether there is another page.
  while (!exhausted && items.length <= limit) {
    signal?.throwIfAborted();
    const batch: KeyFile[] = [];
    while (batch.length < Math.min(batchSize, limit + 1 - items.length)) {
      const next = await keys.next();
      if (next.done) {
        exhausted = true;
        break;
      }
      batch.push(next.value);
    }
    for (const item of await Promise.all(batch.map(load))) if (item !== undefined) items.push(item);
  }
  await keys.return();
  signal?.throwIfAborted();
  if (items.length <= limit) return { items };
  items.length = limit;
  return { items, cursor: items[limit - 1]?.key };
}
