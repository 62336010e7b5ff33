import { expect, test } from "vitest";
import { equalChunks } from "../src/equal-chunks.js";
import { readOnce } from "../src/read-once.js";

async function* source(sizes: number[]): AsyncGenerator<Uint8Array> {
  let next = 0;
  for (const size of sizes) yield Uint8Array.from({ length: size }, () => next++ & 0xff);
}

test("pieces are equal but for the last, and join to what the source gave", async () => {
  for (const sizes of [[], [0], [1], [4], [4, 4], [3, 1], [3, 2], [9], [1, 1, 1, 1, 1], [0, 5, 0, 13, 2], [64, 1]]) {
    const pieces: Uint8Array[] = [];
    for await (const piece of equalChunks(source(sizes), 4)) pieces.push(piece);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    const all = Uint8Array.from({ length: total }, (_, index) => index & 0xff);
    expect(
      pieces.flatMap((piece) => [...piece]),
      `${sizes}`,
    ).toEqual([...all]);
    for (const piece of pieces.slice(0, -1)) expect(piece.byteLength).toBe(4);
    expect(pieces).toHaveLength(Math.ceil(total / 4));
  }
});

test("a source that uses its memory again spoils no piece", async () => {
  async function* reusing() {
    const memory = new Uint8Array(3);
    for (const digit of [1, 2, 3, 4]) yield memory.fill(digit);
  }
  const pieces: number[][] = [];
  for await (const piece of equalChunks(reusing(), 5)) pieces.push([...piece]);
  expect(pieces).toEqual([
    [1, 1, 1, 2, 2],
    [2, 3, 3, 3, 4],
    [4, 4],
  ]);
});

test("who leaves early ends the source", async () => {
  let ended = false;
  async function* endless() {
    try {
      for (;;) yield new Uint8Array(3);
    } finally {
      ended = true;
    }
  }
  for await (const _ of equalChunks(endless(), 4)) break;
  expect(ended).toBe(true);
});

test("what may be read once is refused the second time", async () => {
  const once = readOnce(source([2]));
  const read = async () => {
    for await (const _ of once);
  };
  await read();
  await expect(read()).rejects.toMatchObject({ code: "usage/invalid-argument", hint: expect.any(String) });
});
