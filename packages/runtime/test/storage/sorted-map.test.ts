import { compareKeys } from "@artificer/protocol";
import { expect, test } from "vitest";
import { createSortedMap } from "../../src/storage/sorted-map.js";

/** The same numbers from the same seed. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed + 1;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}

const segments = ["a", "ab", "b", "ü", "\u{10ffff}", "\uffee", "B", "a-b"];

test.each([1, 2, 3, 4])(
  "Keys are listed as by sorting them all, whatever was set, deleted and set again between listings: seed %i.",
  (seed) => {
    const random = createRandom(seed);
    const segment = () => segments[random(segments.length)]!;
    const key = () => `${segment()}/${segment()}${random(30)}`;
    const [sorted, plain] = [createSortedMap<number>(), new Map<string, number>()];
    for (let step = 0; step < 4_000; step++) {
      const changed = key();
      if (random(3) === 0) expect(sorted.delete(changed)).toBe(plain.delete(changed));
      else {
        sorted.set(changed, step);
        plain.set(changed, step);
      }
      expect(sorted.get(changed)).toBe(plain.get(changed));
      // Many changes between two listings, or few.
      if (random(step < 2_000 ? 40 : 4) > 0) continue;
      const prefix = ["", "a", "a/", "ü/", "b/a1", "none/", "\u{10ffff}", key()][random(8)]!;
      const after = random(2) === 0 ? undefined : key();
      const limit = 1 + random(20);
      const expected = [...plain.keys()]
        .filter((each) => each.startsWith(prefix) && (after === undefined || compareKeys(each, after) > 0))
        .sort(compareKeys)
        .slice(0, limit);
      expect(sorted.keys({ prefix, after, limit })).toEqual(expected);
    }
  },
);
