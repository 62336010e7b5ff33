import { expect, test } from "vitest";
import { skillSignature } from "../../src/skills/skill-signature.js";

const parameter = { type: "any", required: true, kind: "positional" } as const;

test.each([
  ["f()", [], undefined],
  [
    "f(a, b: int = 3) -> str",
    [
      { ...parameter, name: "a" },
      { ...parameter, name: "b", type: "int", required: false, default: "3" },
    ],
    "str",
  ],
  [
    "f(a, *, b: int)",
    [
      { ...parameter, name: "a" },
      { ...parameter, name: "b", type: "int", kind: "keyword" as const },
    ],
    undefined,
  ],
  [
    "f(*rest: str, b, **others)",
    [
      { ...parameter, name: "rest", type: "str", kind: "rest" as const },
      { ...parameter, name: "b", kind: "keyword" as const },
      { ...parameter, name: "others", kind: "keyword-rest" as const },
    ],
    undefined,
  ],
])("A signature reads %s.", (expected, parameters, returns) => {
  expect(skillSignature("f", parameters, returns)).toBe(expected);
});
