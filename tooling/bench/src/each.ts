const atOnce = 50;

/** Runs for each number below the count, fifty at once. */
export async function each(count: number, run: (n: number) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < count; start += atOnce)
    await Promise.all(Array.from({ length: Math.min(atOnce, count - start) }, (_, index) => run(start + index)));
}
