import type { Storage } from "@artificer/protocol";

/** How the vectors of search are kept in a storage and compared, why it does not rank them itself where its kind could, and what mends that. */
export function howVectorsAreKept({ capabilities, vectors, notices = [] }: Storage, maxInMemory = 20_000): string {
  const few = `of up to ${maxInMemory} skills they are compared exactly, in memory`;
  if (!capabilities.vectors || vectors === undefined)
    return ["vectors are kept in it as raw 32-bit floats and searched exactly, in memory", ...notices].join(". ");
  const many = `of more it ranks them itself${vectors.approximate ? ", by an index where a set is large" : ""}`;
  return [`vectors are kept in it: ${few}; ${many}`, ...notices].join(". ");
}
