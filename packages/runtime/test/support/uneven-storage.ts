import { setTimeout as wait } from "node:timers/promises";
import type { Storage } from "@artificer/protocol";

/** A storage whose calls take unequal time, so that what is meant to happen one after another can come in between. */
export function createUnevenStorage<T extends Storage>(storage: T, seed: number): T {
  let state = seed;
  const pause = () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return wait((state >> 8) % 4);
  };
  const uneven = <S extends object>(store: S): S =>
    new Proxy(store, {
      get: (target, name) => {
        const member = Reflect.get(target, name) as unknown;
        if (typeof member !== "function") return member;
        return async (...args: unknown[]) => {
          await pause();
          const result: unknown = await member.apply(target, args);
          await pause();
          return result;
        };
      },
    });
  return { ...storage, records: uneven(storage.records), blobs: uneven(storage.blobs) };
}
