/** Maps items with so many at a time, results in order. The first failure is thrown once those under way have ended. */
export async function inParallel<T, R>(items: readonly T[], width: number, map: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const workers = Array.from({ length: Math.min(width, items.length) }, async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await map(items[index] as T);
    }
  });
  const ended = await Promise.allSettled(workers);
  for (const each of ended) if (each.status === "rejected") throw each.reason;
  return results;
}
