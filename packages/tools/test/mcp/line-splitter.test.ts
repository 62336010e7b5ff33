import { describe, expect, it } from "vitest";
import { createLineSplitter } from "../../src/mcp/line-splitter.js";
import { answeredId } from "../../src/mcp/stand-in-answer.js";

function split(chunks: string[], maxBytes = 10, floodBytes = 40) {
  const told: unknown[] = [];
  const take = createLineSplitter(
    { maxBytes, floodBytes },
    {
      line: (text) => told.push(text),
      oversized: (head, tail, bytes) => told.push({ head, tail, bytes }),
      flood: (bytes) => told.push({ flood: bytes }),
    },
  );
  for (const chunk of chunks) take(Buffer.from(chunk));
  return told;
}

describe("the line splitter", () => {
  it("[P2] gives the same lines however the bytes are cut", () => {
    const whole = "one\r\n\nthree é\nfour";
    expect(split([whole])).toEqual(["one", "", "three é"]);
    const bytes = [...Buffer.from(whole)].map((byte) => Buffer.from([byte]));
    const told: string[] = [];
    const events = { line: (text: string) => told.push(text), oversized: () => {}, flood: () => {} };
    const take = createLineSplitter({ maxBytes: 10, floodBytes: 40 }, events);
    for (const byte of bytes) take(byte);
    expect(told).toEqual(["one", "", "three é"]);
  });

  it("[P2] tells the ends of a line over the bound, and goes on with the next", () => {
    expect(split(["0123456789\n0123456789a\nb\n"])).toEqual([
      "0123456789",
      { head: "0123456789a", tail: "0123456789a", bytes: 11 },
      "b",
    ]);
  });

  it("[P2] tells a flood once", () => {
    expect(split(Array.from({ length: 10 }, () => "0123456789"))).toEqual([{ flood: 50 }]);
  });
});

describe("an oversized answer", () => {
  it.each([
    ['{"jsonrpc":"2.0","id":12,"result":{"x":"', "yyy", 12],
    ['{"result":{"content":"xxx', '"}],"jsonrpc":"2.0","id":7}', 7],
    ['data: {"jsonrpc":"2.0","id": 3,"result"', "x", 3],
    ['{"result":{"id":5,"x":"', '"}}', undefined],
  ])("[P2] is matched to its request by its ends: %s … %s", (head, tail, id) => {
    expect(answeredId(head, tail)).toBe(id);
  });
});
