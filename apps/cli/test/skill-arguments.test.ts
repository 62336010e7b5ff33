import { describe, expect, it } from "vitest";
import { skillArguments } from "../src/skill-arguments.js";

describe("skillArguments", () => {
  it("reads values as JSON when they are, else as text", () => {
    expect(
      skillArguments(["n=5", "path=README.md", "on=true", 'zip="007"', "list=[1, 2]", "empty="], undefined),
    ).toEqual({
      n: 5,
      path: "README.md",
      on: true,
      zip: "007",
      list: [1, 2],
      empty: "",
    });
  });

  it("splits at the first equals sign only", () => {
    expect(skillArguments(["url=https://example.org/?a=1"], undefined)).toEqual({ url: "https://example.org/?a=1" });
  });

  it("lets single arguments win over --args", () => {
    expect(skillArguments(["n=2"], '{"n": 1, "m": 1}')).toEqual({ n: 2, m: 1 });
  });

  it("keeps __proto__ as a name like any other", () => {
    expect(Object.keys(skillArguments(["__proto__=1"], undefined))).toEqual(["__proto__"]);
  });
});
