import type { OutputChunk } from "@artificer/protocol";
import { describe, expect, it } from "vitest";
import { HeadTail } from "../../src/cell/head-tail.js";
import { OutputCapture } from "../../src/cell/output-capture.js";
import { StreamCapture } from "../../src/cell/stream-capture.js";
import { createRedactor } from "../../src/redaction/redactor.js";

const limits = { maxBytes: 100, maxArtifactBytes: 1000 };
const clean = () => createRedactor({ known: [], secrets: true }).stream();
const bytes = (text: string) => new Uint8Array(Buffer.from(text));

describe("head and tail", () => {
  it("keep everything that fits and only then cut the middle", () => {
    for (const size of [1, 7, 100]) {
      const kept = new HeadTail(100);
      const text = "x".repeat(40) + "y".repeat(60);
      for (let at = 0; at < 100; at += size) kept.push(bytes(text.slice(at, at + size)));
      const { head, tail } = kept.parts();
      expect(kept.cut).toBe(false);
      expect(Buffer.concat([head, tail]).toString()).toBe(text);
    }
  });

  it("stay within the budget whatever the flood, and count it all", () => {
    const kept = new HeadTail(1000);
    for (let line = 0; line < 100_000; line++) kept.push(bytes(`${line}\n`));
    const { head, tail } = kept.parts();
    expect(head.byteLength + tail.byteLength).toBe(1000);
    expect(kept.totalBytes).toBe(588_890);
    expect(Buffer.from(tail).toString()).toMatch(/99998\n99999\n$/);
  });
});

describe("a captured stream", () => {
  it("never splits a character, neither live nor where it is cut", () => {
    for (let size = 1; size <= 5; size++) {
      const live: OutputChunk[] = [];
      const capture = new StreamCapture("stdout", {
        maxBytes: 50,
        maxArtifactBytes: 10_000,
        clean: clean(),
        onText: (chunk) => live.push(chunk),
        live: true,
      });
      const all = bytes("ü🎈".repeat(100));
      for (let at = 0; at < all.byteLength; at += size) capture.filter.push(all.subarray(at, at + size));
      const told = capture.finish();
      expect(live.map(({ text }) => text).join("")).toBe("ü🎈".repeat(100));
      expect(told.text).not.toContain("\ufffd");
      expect(told).toMatchObject({ cut: true, totalBytes: 600 });
      expect(Buffer.from(told.whole!).toString()).toBe("ü🎈".repeat(100));
    }
  });

  it("tells how much was left out", () => {
    const capture = new StreamCapture("stdout", { ...limits, clean: clean(), onText: () => {}, live: true });
    capture.filter.push(bytes("a".repeat(1000)));
    expect(capture.finish().text).toContain("[… 900 bytes left out …]");
  });
});

describe("both streams", () => {
  const open = (onOutput?: (chunk: OutputChunk) => void) =>
    new OutputCapture({ stdout: limits, stderr: limits, clean, ...(onOutput === undefined ? {} : { onOutput }) });

  it("are told in the order they arrived", () => {
    const capture = open();
    capture.push("stdout", bytes("1"));
    capture.push("stderr", bytes("2"));
    capture.push("stdout", bytes("3"));
    expect(capture.finish().ordered).toEqual([
      { stream: "stdout", text: "1" },
      { stream: "stderr", text: "2" },
      { stream: "stdout", text: "3" },
    ]);
  });

  it("end at the marker, in whatever pieces it comes; what follows belongs to no cell", async () => {
    for (let size = 1; size < 40; size += 3) {
      const capture = open();
      const all = bytes("the end\0artificer:abc123\0later");
      const read = capture.until("\0artificer:abc123\0", 5000);
      capture.push("stderr", bytes("\0artificer:abc123\0"));
      for (let at = 0; at < all.byteLength; at += size) capture.push("stdout", all.subarray(at, at + size));
      await read;
      expect(capture.after.map(({ chunk }) => Buffer.from(chunk).toString()).join("")).toBe("later");
      expect(capture.finish().stdout.text).toBe("the end");
    }
  });

  it("take what only looks like a marker for output", () => {
    const live: string[] = [];
    const capture = open(({ text }) => live.push(text));
    capture.push("stdout", bytes("a\0b\0artificer-not"));
    expect(live.join("")).toBe("a\0b\0artificer-not");
    capture.push("stdout", bytes("\0artificer:forged\0"));
    expect(capture.finish().stdout.text).toBe("a\0b\0artificer-not\0artificer:forged\0");
  });

  it("lose their terminal escapes before anyone sees them [M13]", () => {
    const live: string[] = [];
    const capture = open(({ text }) => live.push(text));
    capture.push("stdout", bytes("\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link"));
    expect(live.join("")).toBe("red link");
    expect(capture.finish().ordered).toEqual([{ stream: "stdout", text: "red link" }]);
  });
});
