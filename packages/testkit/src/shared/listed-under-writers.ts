import assert from "node:assert/strict";
import type { Storage } from "@artificer/protocol";

const writtenAtOnce = 250;

/** Writes so many records, and lists them page by page while others write and delete between them: each is listed, once, in order. */
export async function listWhileOthersWrite({ records }: Storage, count: number): Promise<void> {
  const keyOf = (n: number) => `many/${String(n).padStart(6, "0")}`;
  const keys = Array.from({ length: count }, (_, n) => keyOf(n));
  for (let start = 0; start < keys.length; start += writtenAtOnce)
    await Promise.all(keys.slice(start, start + writtenAtOnce).map((key) => records.put(key, { key })));
  let listing = true;
  const others = (async () => {
    for (let n = 0; listing; n++) {
      await records.put(`${keyOf((n * 37) % count)}-more`, { n });
      await records.delete(`${keyOf((n * 91) % count)}-more`);
    }
  })();
  others.catch(() => {});
  const listed: string[] = [];
  try {
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const page = await records.list("many/", { limit: 300, cursor });
      for (const { key } of page.items) if (!key.endsWith("-more")) listed.push(key);
      cursor = page.cursor;
    }
  } finally {
    listing = false;
    await others;
  }
  assert.deepEqual(listed, keys);
}
