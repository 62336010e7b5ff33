import { expect, it } from "vitest";
import { readSource } from "../src/read-source.js";
import { twins } from "../src/twins.js";

it.each(twins)("%s and %s are the same", (one, other) => {
  expect(readSource(other)).toBe(readSource(one));
});
