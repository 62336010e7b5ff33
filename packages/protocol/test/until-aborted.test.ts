import { expect, test } from "vitest";
import { untilAborted } from "../src/until-aborted.js";

async function* numbers(onReturn = () => {}) {
  try {
    for (let n = 1; n <= 3; n++) yield n;
  } finally {
    onReturn();
  }
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

test("without an abort everything comes through, with or without a signal", async () => {
  expect(await collect(untilAborted(numbers()))).toEqual([1, 2, 3]);
  expect(await collect(untilAborted(numbers(), new AbortController().signal))).toEqual([1, 2, 3]);
});

test("an abort throws the signal's own reason, also while the source hangs, and ends the source", async () => {
  const controller = new AbortController();
  let ended = false;
  const hanging: AsyncIterable<number> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: async () => {
        ended = true;
        return { done: true, value: undefined };
      },
    }),
  };
  const reading = collect(untilAborted(hanging, controller.signal));
  controller.abort("enough");
  await expect(reading).rejects.toBe("enough");
  expect(ended).toBe(true);
});

test("a reader that leaves early ends the source", async () => {
  let ended = false;
  for await (const _ of untilAborted(numbers(() => (ended = true)))) break;
  await Promise.resolve();
  expect(ended).toBe(true);
});

test("what the source throws comes through untouched", async () => {
  const failure = { mine: true };
  async function* failing() {
    yield 1;
    throw failure;
  }
  await expect(collect(untilAborted(failing(), new AbortController().signal))).rejects.toBe(failure);
});
