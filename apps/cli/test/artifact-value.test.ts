import { describe, expect, it } from "vitest";
import { artifactValue, contentTypeOf } from "../src/artifact-value.js";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("artifactValue", () => {
  it("keeps JSON files as values, other UTF-8 as text, the rest as bytes", () => {
    expect(artifactValue("a.json", bytes('{"a": 1}'))).toEqual({ a: 1 });
    expect(artifactValue("a.txt", bytes("é"))).toBe("é");
    expect(artifactValue("a.bin", new Uint8Array([0xff, 0xfe]))).toEqual(new Uint8Array([0xff, 0xfe]));
  });

  it("does as it is told by the form", () => {
    expect(artifactValue("a.json", bytes("{"), "text")).toBe("{");
    expect(artifactValue("-", bytes("[1]"), "json")).toEqual([1]);
    expect(artifactValue("a.txt", bytes("a"), "bytes")).toEqual(bytes("a"));
  });

  it("says how to keep a file that is not what its name says", () => {
    expect(() => artifactValue("a.json", bytes("{"))).toThrow(/a\.json is no JSON/);
    expect(() => artifactValue("a.bin", new Uint8Array([0xff]), "text")).toThrow(/no UTF-8/);
  });

  it("knows the usual media types by name", () => {
    expect([contentTypeOf("a.PNG"), contentTypeOf("a.csv"), contentTypeOf("a")]).toEqual([
      "image/png",
      "text/csv",
      undefined,
    ]);
  });
});
