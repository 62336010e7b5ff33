import { describe, expect, it } from "vitest";
import { ArtificerError } from "../../src/errors/artificer-error.js";
import { encodeFrame, FrameDecoder } from "../../src/wire/frame.js";

const join = (chunks: Uint8Array[]) => new Uint8Array(Buffer.concat(chunks));

describe("a frame", () => {
  it("comes back with its header and its parts as bytes", () => {
    const parts = [new Uint8Array([0, 1, 255]), new Uint8Array(0), new Uint8Array([7])];
    const [frame] = new FrameDecoder().push(join(encodeFrame({ type: "x", text: "grüße 🎈" }, parts)));
    expect(frame!.header).toEqual({ type: "x", text: "grüße 🎈", parts: [3, 0, 1] });
    expect(frame!.parts.map((part) => [...part])).toEqual([[0, 1, 255], [], [7]]);
  });

  it("is found whatever the chunks it arrives in, two at once or byte by byte", () => {
    const bytes = join([...encodeFrame({ n: 1 }, [new Uint8Array([1, 2])]), ...encodeFrame({ n: 2 })]);
    for (const size of [1, 3, 7, bytes.byteLength]) {
      const decoder = new FrameDecoder();
      const frames = [];
      for (let at = 0; at < bytes.byteLength; at += size) frames.push(...decoder.push(bytes.subarray(at, at + size)));
      expect(frames.map(({ header }) => (header as { n: number }).n)).toEqual([1, 2]);
    }
  });

  it("larger than allowed is refused before it is read", () => {
    const decoder = new FrameDecoder({ maxHeaderBytes: 10, maxBodyBytes: 10 });
    expect(() => decoder.push(join(encodeFrame({ text: "more than ten bytes" })).subarray(0, 8))).toThrow(
      expect.objectContaining({ code: "wire/frame-too-large" }),
    );
  });

  it.each([
    ["a header that is no JSON", [0, 0, 0, 1, 0, 0, 0, 0, 123]],
    ["a header that is no UTF-8", [0, 0, 0, 1, 0, 0, 0, 0, 255]],
    ["a body that no part claims", [0, 0, 0, 2, 0, 0, 0, 1, 123, 125, 9]],
  ])("with %s is a bad frame", (_, bytes) => {
    let thrown: unknown;
    try {
      new FrameDecoder().push(new Uint8Array(bytes));
    } catch (error) {
      thrown = error;
    }
    expect(ArtificerError.is(thrown, "wire/bad-frame")).toBe(true);
  });

  it.each([[["x"]], [[-1]], [[1.5]], [[2, 2]], ["no list"]])("whose parts are %j is a bad frame", (parts) => {
    const header = Buffer.from(JSON.stringify({ parts }));
    const prefix = Buffer.alloc(8);
    prefix.writeUInt32BE(header.byteLength, 0);
    prefix.writeUInt32BE(2, 4);
    expect(() => new FrameDecoder().push(Buffer.concat([prefix, header, Buffer.alloc(2)]))).toThrow(
      expect.objectContaining({ code: "wire/bad-frame" }),
    );
  });
});
