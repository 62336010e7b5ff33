import { expect, test } from "vitest";
import { oneChunk, smallOrLarge } from "../src/index.js";

async function* source(...sizes: number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield new Uint8Array(size).fill(size);
}

async function sizesOf(chunks: AsyncIterable<Uint8Array>): Promise<number[]> {
  const sizes: number[] = [];
  for await (const { byteLength } of chunks) sizes.push(byteLength);
  return sizes;
}

test("a source of no chunk or one is small, one of more is large and whole", async () => {
  expect(await smallOrLarge(source())).toEqual({ small: new Uint8Array() });
  expect(await smallOrLarge(source(3))).toEqual({ small: new Uint8Array([3, 3, 3]) });
  for (const sizes of [
    [1, 2],
    [5, 4, 3, 2],
  ]) {
    const content = await smallOrLarge(source(...sizes));
    expect(await sizesOf("large" in content ? content.large : source())).toEqual(sizes);
  }
});

test("a source that fails at its second chunk fails with its own error", async () => {
  const failure = new Error("the source broke");
  async function* broken() {
    yield new Uint8Array(1);
    throw failure;
  }
  await expect(smallOrLarge(broken())).rejects.toBe(failure);
});

test("bytes are one chunk, and none when there are none", async () => {
  expect(await sizesOf(oneChunk(new Uint8Array(7)))).toEqual([7]);
  for (const nothing of [new Uint8Array(), null]) expect(await sizesOf(oneChunk(nothing))).toEqual([]);
});
