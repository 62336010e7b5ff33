import { checkedFence, checkFence, type Lease } from "@artificer/protocol";
import type { FileBase } from "../file-base.js";
import { leasePath, readHolding } from "./read-holding.js";

interface FencedWrite<T> {
  /** Of the record, for messages. */
  key: string;
  fence: Lease | undefined;
  signal: AbortSignal | undefined;
  /** `check` is to be called right before what can't be undone. */
  write: (check: () => Promise<void>) => Promise<T>;
}

/** Writes while nobody can come after the fence's holding: under the lock of its lease, which is always taken before that of what is written. */
export async function withFence<T>(
  base: FileBase,
  { key, fence: rawFence, signal, write }: FencedWrite<T>,
): Promise<T> {
  if (rawFence === undefined) return write(async () => {});
  const fence = checkedFence(rawFence);
  return base.locks.hold(`lease:${fence.key}`, signal, async (check) => {
    checkFence(key, fence, (await readHolding(leasePath(base, fence.key)))?.token);
    return write(check);
  });
}
