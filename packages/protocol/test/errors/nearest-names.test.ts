import { describe, expect, it } from "vitest";
import { nearestNames } from "../../src/errors/nearest-names.js";

describe("nearest names", () => {
  it("finds slips of the fingers, best first", () => {
    expect(nearestNames("serach", ["fetch", "searchx", "search"])).toEqual(["search", "searchx"]);
    expect(nearestNames("timeuot", ["timeout", "type"])).toEqual(["timeout"]);
  });

  it("takes no notice of case and of how words are joined", () => {
    expect(nearestNames("Web-Search", ["web_search"])).toEqual(["web_search"]);
  });

  it("finds names that hold the one given", () => {
    expect(nearestNames("headers", ["request_headers", "url"])).toEqual(["request_headers"]);
  });

  it("offers nothing when nothing is close, least of all for one letter", () => {
    expect(nearestNames("color", ["url", "depth"])).toEqual([]);
    expect(nearestNames("c", ["a", "b"])).toEqual([]);
    expect(nearestNames("x", [])).toEqual([]);
  });

  it("gives at most as many as asked for, and survives hostile names", () => {
    expect(nearestNames("ab1", ["ab2", "ab3", "ab4", "ab5"], 2)).toEqual(["ab2", "ab3"]);
    expect(nearestNames("x".repeat(1_000_000), ["y".repeat(1_000_000)])).toEqual([]);
  });
});
