import { describe, expect, it } from "vitest";
import { storageKey } from "../src/storage-key.js";

describe("a storage key", () => {
  it.each(["a", "reports/2024/may.json", "grüße/🎈", "a b", "x".repeat(200), "CON", "a:b*c"])("may be %j", (key) => {
    expect(storageKey(key)).toBe(key);
  });

  it.each([
    "",
    "/a",
    "a/",
    "a//b",
    ".",
    "..",
    "a/../b",
    ".hidden",
    "a/.b",
    "a\\b",
    "a\0b",
    "a\nb",
    " a",
    "a ",
    "x".repeat(201),
    `${"long/".repeat(200)}x`,
    "\ud800",
  ])("may not be %j, and the error says why", (key) => {
    expect(() => storageKey(key)).toThrow(
      expect.objectContaining({ code: "storage/invalid-key", hint: expect.any(String) }),
    );
  });

  it("is one key however its accents are composed", () => {
    expect(storageKey("e\u0301")).toBe("\u00e9");
  });
});
