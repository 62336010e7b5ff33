import { describe, expect, it } from "vitest";
import { callable, refusalOf } from "./fixture.js";

const search = {
  properties: {
    query: { type: "string" },
    limit: { type: "integer", minimum: 1, default: 10 },
    mode: { enum: ["fast", "deep"] },
    headers: { type: "array", items: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
    since: { type: "string", format: "date" },
    either: { anyOf: [{ type: "string" }, { type: "integer" }] },
  },
  required: ["query"],
};

describe("arguments that a tool doesn't have", () => {
  it("are refused by name, with the nearest and all it has [P2]", async () => {
    const error = await refusalOf(callable(search)({ query: "x", limti: 3 }));
    expect(error.code).toBe("tool/unknown-argument");
    expect(error.details).toMatchObject({ argument: "limti", unknown: ["limti"], nearest: ["limit"] });
    expect(error.details.allowed).toEqual(["query", "limit", "mode", "headers", "since", "either"]);
    expect(error.message).toContain('"limti"');
    expect(error.hint).toContain("tools.k.t(query: str");
  });

  it("are told in the signature of the language that called", async () => {
    const context = { signal: new AbortController().signal, session: "s", cell: 1, language: "typescript" as const };
    expect((await refusalOf(callable(search)({ query: 1 }, context))).hint).toContain(
      "tools.k.t(args: { query: string",
    );
  });

  it("are accepted where the schema says so in so many words", async () => {
    expect(await callable({ additionalProperties: true })({ any: 1 })).toEqual({ any: 1 });
    expect(await callable({ additionalProperties: { type: "integer" } })({ any: 1 })).toEqual({ any: 1 });
    expect((await refusalOf(callable({ additionalProperties: { type: "integer" } })({ any: "x" }))).code).toBe(
      "tool/invalid-argument",
    );
    const patterned = callable({ patternProperties: { "^x-": { type: "string" } }, additionalProperties: false });
    expect(await patterned({ "x-a": "1" })).toEqual({ "x-a": "1" });
    expect((await refusalOf(patterned({ y: "1" }))).details).toMatchObject({ argument: "y" });
  });

  it("are refused under the names of an object's own members too", async () => {
    for (const name of ["constructor", "toString", "hasOwnProperty", "__proto__"]) {
      const args = JSON.parse(`{"query":"x","${name}":1}`) as Record<string, unknown>;
      expect((await refusalOf(callable(search)(args))).details.argument).toBe(name);
    }
  });

  it("are known when their schema stands behind a reference or an alternative", async () => {
    const call = callable({
      $ref: "#/$defs/base",
      $defs: { base: { properties: { a: { type: "string" } } } },
      anyOf: [{ properties: { b: { type: "string" } } }, { properties: { c: { type: "string" } } }],
    });
    expect(await call({ a: "1", b: "2" })).toEqual({ a: "1", b: "2" });
    expect((await refusalOf(call({ d: "1" }))).details.allowed).toEqual(["a", "b", "c"]);
  });
});

describe("arguments that are missing", () => {
  it("are all named at once [P2]", async () => {
    const error = await refusalOf(callable({ properties: { a: {}, b: {}, c: {} }, required: ["a", "c"] })({ b: 1 }));
    expect(error.code).toBe("tool/missing-argument");
    expect(error.details).toMatchObject({ missing: ["a", "c"], allowed: ["a", "b", "c"] });
  });

  it("are missing although every object inherits a member of that name", async () => {
    const error = await refusalOf(
      callable({ properties: { toString: { type: "string" } }, required: ["toString"] })({}),
    );
    expect(error.details.missing).toEqual(["toString"]);
  });

  it("may be given as null when they are optional, as a signature with None invites, and are then left out", async () => {
    expect(await callable(search)({ query: "x", limit: null, mode: null })).toEqual({ query: "x" });
    expect((await refusalOf(callable(search)({ query: null }))).code).toBe("tool/invalid-argument");
  });

  it("stay null where null is a value that the schema knows", async () => {
    expect(await callable({ properties: { a: { type: ["string", "null"] } } })({ a: null })).toEqual({ a: null });
  });
});

describe("arguments that don't fit", () => {
  const problem = async (args: Record<string, unknown>) => {
    const error = await refusalOf(callable(search)({ query: "x", ...args }));
    expect(error.code).toBe("tool/invalid-argument");
    return error.details;
  };

  it("are named with what they got and what is allowed; nothing is converted [P2]", async () => {
    expect(await problem({ limit: "3" })).toMatchObject({
      path: "limit",
      expected: "must be an integer",
      got: 'the string "3"',
    });
    expect(await problem({ limit: 1.5 })).toMatchObject({ expected: "must be an integer", got: "the number 1.5" });
    expect(await problem({ limit: 0 })).toMatchObject({ expected: "must be >= 1" });
    expect(await problem({ mode: "quick" })).toMatchObject({
      expected: 'must be one of "fast", "deep"',
      allowed: ["fast", "deep"],
    });
    expect(await problem({ since: "yesterday" })).toMatchObject({ allowed: "date" });
    expect(await problem({ query: true })).toMatchObject({ got: "true" });
    expect(await problem({ query: new Uint8Array(3) })).toMatchObject({ got: "3 bytes" });
    expect(await problem({ limit: 2n ** 60n })).toMatchObject({ got: "the big integer 1152921504606846976" });
  });

  it("are told by the place inside them", async () => {
    expect(await problem({ headers: [{ name: "a" }, { name: 2 }] })).toMatchObject({
      argument: "headers",
      path: "headers[1].name",
    });
    expect(await problem({ headers: [{}] })).toMatchObject({ path: "headers[0]", expected: 'must have "name"' });
  });

  it("are told by all alternatives where there are several", async () => {
    expect(await problem({ either: true })).toMatchObject({ expected: "must be a string or an integer", got: "true" });
  });

  it("are told by the slip inside an alternative rather than by the alternative", async () => {
    const call = callable({
      properties: { o: { anyOf: [{ type: "object", properties: { n: { type: "integer" } } }, { type: "null" }] } },
    });
    expect((await refusalOf(call({ o: { n: "x" } }))).details).toMatchObject({ path: "o.n" });
  });

  it("are shortened in messages", async () => {
    expect((await problem({ limit: "x".repeat(1000) })).got).toHaveLength(94);
  });

  it("are the arguments as a whole when those are no object", async () => {
    for (const args of [[], null, "x", new Map()]) {
      const error = await refusalOf(callable(search)(args as unknown as Record<string, unknown>));
      expect(error.code).toBe("tool/invalid-argument");
    }
  });
});

describe("schemas from many hands", () => {
  it("are read in draft 7 as well as 2020-12, whether they say so or not", async () => {
    const seven = {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { a: { items: [{ type: "string" }], additionalItems: false } },
    };
    expect(await callable(seven)({ a: ["x"] })).toEqual({ a: ["x"] });
    expect((await refusalOf(callable(seven)({ a: ["x", 1] }))).details.path).toBe("a");
    const twenty = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      properties: { a: { prefixItems: [{ type: "string" }], items: false } },
    };
    expect((await refusalOf(callable(twenty)({ a: ["x", 1] }))).details.path).toBe("a");
    expect(
      await callable({ definitions: { s: { type: "string" } }, properties: { a: { $ref: "#/definitions/s" } } })({
        a: "x",
      }),
    ).toEqual({ a: "x" });
    expect(await callable({ $schema: "https://example.org/unknown", properties: { a: {} } })({ a: 1 })).toEqual({
      a: 1,
    });
  });

  it("may have patterns that are no Unicode regular expressions, formats nobody knows, and an $id that is no URI or not theirs alone", async () => {
    const odd = {
      $id: "urn:broken",
      properties: { a: { type: "string", pattern: "^[\\w-.]+$", format: "no-such-format" } },
    };
    expect(await callable(odd)({ a: "x-y.z" })).toEqual({ a: "x-y.z" });
    expect((await refusalOf(callable(odd)({ a: "x y" }))).details.expected).toContain("pattern");
    for (const type of ["string", "integer"]) {
      const same = callable({ $id: "https://example.org/same", properties: { a: { type } } });
      expect((await refusalOf(same({ a: true }))).details.allowed).toEqual([type]);
    }
  });

  it("may be recursive", async () => {
    const tree = {
      $ref: "#/$defs/node",
      $defs: { node: { type: "object", properties: { child: { $ref: "#/$defs/node" }, v: { type: "integer" } } } },
    };
    expect(await callable(tree)({ child: { child: { v: 1 } } })).toEqual({ child: { child: { v: 1 } } });
    expect((await refusalOf(callable(tree)({ child: { child: { v: "x" } } }))).details.path).toBe("child.child.v");
  });

  it("that can't be read at all fail the call by name, and no other tool", async () => {
    const error = await refusalOf(callable({ properties: { a: { $ref: "#/nowhere" } } })({ a: 1 }));
    expect(error.code).toBe("tool/definition-invalid");
    expect(error.message).toContain("k.t");
  });
});
