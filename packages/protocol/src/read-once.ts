import { ArtificerError } from "./errors/artificer-error.js";

/** The bytes of a blob, which may be read once: a second reading is refused instead of giving nothing. */
export function readOnce<T>(items: AsyncIterable<T>): AsyncIterable<T> {
  let taken = false;
  return {
    [Symbol.asyncIterator]() {
      if (taken) {
        throw new ArtificerError("usage/invalid-argument", "The bytes of a blob may be read once.", {
          hint: "Call read again, or keep the bytes of the first time.",
        });
      }
      taken = true;
      return items[Symbol.asyncIterator]();
    },
  };
}
