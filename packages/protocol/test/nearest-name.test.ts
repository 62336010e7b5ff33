import { describe, expect, it } from "vitest";
import { nearestName } from "../src/nearest-name.js";

describe("the nearest name", () => {
  it.each([
    ["serach", "search"],
    ["skill", "skills"],
    ["artefacts", "artifacts"],
    ["GET", "get"],
    ["max_tool_call", "max_tool_calls"],
  ])("for %s is %s", (name, expected) => {
    expect(nearestName(name, ["search", "skills", "artifacts", "get", "max_tool_calls", "timeout"])).toBe(expected);
  });

  it("is nothing when nothing is near", () => {
    expect(nearestName("completely", ["get", "list"])).toBeUndefined();
    expect(nearestName("x", [])).toBeUndefined();
  });
});
