import { expect, test } from "vitest";
import { z } from "zod";
import { schemaKeys } from "../../src/index.js";

const schema = z.strictObject({
  plain: z.string(),
  nested: z.strictObject({ a: z.int().optional(), b: z.int().default(1) }).optional(),
  either: z.union([z.enum(["x"]), z.strictObject({ left: z.string() }), z.strictObject({ right: z.string() })]),
  byName: z.record(z.string(), z.strictObject({ inside: z.string() })),
  list: z.array(z.strictObject({ each: z.string() })).default([]),
  turned: z.strictObject({ given: z.string() }).transform(({ given }) => given),
  get again() {
    return schema.optional();
  },
});

test.each([
  [[], ["plain", "nested", "either", "byName", "list", "turned", "again"]],
  [["nested"], ["a", "b"]],
  [["either"], ["left", "right"]],
  [["byName", "any"], ["inside"]],
  [["list", 3], ["each"]],
  [
    ["again", "again", "nested"],
    ["a", "b"],
  ],
  [["plain"], []],
  [["nested", "absent"], []],
])("the keys known at %j are %j", (path, keys) => {
  expect(schemaKeys(schema, path)).toEqual(keys);
});
