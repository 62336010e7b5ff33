import { describe, expect, test } from "vitest";
import { prepareCell } from "../../src/index.js";
import { splitPrepared } from "../../src/prepare/cell-header.js";

const prepared = (code: string) => splitPrepared(prepareCell(code).js);

describe("types are erased without moving a character", () => {
  test.each([
    ["const x = 1 as number", "let   x = 1          "],
    ["let a: Array<{ b: string }> = []", "let a                       = []"],
    ["f<string>(x!, <any>y)", "f        (x ,      y)"],
    ["let f = (a?: number, ...b: string[]): void => {}", "let f = (a         , ...b          )       => {}"],
    ["let u = x satisfies T;", "let u = x            ;"],
    ["let f = function (this: Window, a: number) {}", "let f = function (              a        ) {}"],
    ["class A<T> extends B<T> implements C, D {}", "class A    extends B                    {}"],
    [
      "class A { private readonly x?: number = 1; y!: string }",
      "class A {                  x          = 1; y          }",
    ],
    ["class A { m(): void; m(x?: number) {} }", "class A {            m(x         ) {} }"],
  ])("%s", (code, expected) => {
    expect(prepared(code).body).toBe(expected);
  });

  test("statements that are only types leave blanks, and never join their neighbours", () => {
    const { body } = prepared("foo\ninterface X { a: 1 }\n(bar)");
    expect(body).toBe(`foo\n;${" ".repeat(19)}\n(bar)`);
    expect(prepared("let a = b as any\n(foo)").body).toBe("let a = b      ;\n(foo)");
  });

  test("a return type over several lines keeps the arrow on the parenthesis's line", () => {
    const { body } = prepared("let f = (a: number): {\n  x: number\n} => a");
    expect(body.split("\n")).toHaveLength(3);
    expect(() => new Function(body)).not.toThrow();
  });
});

describe("imports and exports", () => {
  test("static imports become blanks in the body and entries of the header", () => {
    const { header, body } = prepared('import fs, { join as j, type T } from "m"; import type { U } from "u"; j()');
    expect(header.imports).toEqual([
      {
        from: "m",
        line: 1,
        names: [
          ["default", "fs", false],
          ["join", "j", true],
        ],
      },
    ]);
    expect(body.trim().replace(/[; ]+/g, " ")).toBe(" j()");
  });

  test("dynamic imports and import.meta call the kernel's bridge in as many characters", () => {
    expect(prepared('await import("x"); import.meta.url').body).toBe('await __imp$("x"); __imp$.meta.url');
  });

  test("exports of a cell are its bindings", () => {
    const { header, body } = prepared("export const q = 1; export { q }");
    expect(header.names).toEqual(["q"]);
    expect(body).toContain("let   q = 1");
  });

  test("what has no meaning in a cell is refused with the way to mend it", () => {
    expect(prepared('\nexport * from "m"').header.problem).toMatchObject({
      line: 2,
      column: 1,
      hint: expect.stringContaining("Import"),
    });
    expect(prepared("@dec class A {}").header.problem?.message).toContain("Decorators");
  });
});

describe("constructs that leave code behind", () => {
  const run = (code: string): unknown => {
    const bridge = {
      member(target: Record<string, unknown>, key: string, value: unknown) {
        target[key] = value;
        if (typeof value === "number") target[value] = key;
        return value;
      },
      expose: (target: object, members: object) =>
        Object.defineProperties(target, Object.getOwnPropertyDescriptors(members)),
    };
    const { body } = prepared(code);
    expect(body.split("\n")).toHaveLength(code.split("\n").length);
    return new Function(
      "__imp$",
      `${body.slice(0, body.lastIndexOf("\n"))}; return (${body.slice(body.lastIndexOf("\n"))})`,
    )(bridge);
  };

  test("enums count on, look back, keep names, and read both ways", () => {
    expect(
      run('enum E { A, B = 5, // five\n C, "d-e" = "s", F = A | B, }\n[E.A, E.B, E.C, E["d-e"], E.F, E[6]]'),
    ).toEqual([0, 5, 6, "s", 5, "C"]);
  });

  test("namespaces expose what they export, live", () => {
    expect(
      run(
        "namespace N { export let n = 1; export function inc(): number { return ++n } const hidden = 1 }\n[N.n, N.inc(), N.n, N.hidden]",
      ),
    ).toEqual([1, 2, 2, undefined]);
  });

  test("parameter properties are assigned, after super where there is one", () => {
    expect(
      run(
        "class P { p = 1 } class Q extends P { constructor(private x: number, public readonly y = 2) { super(); this.p = this.x } }\n({...new Q(7)})",
      ),
    ).toEqual({ p: 7, x: 7, y: 2 });
  });
});

describe("what the header says", () => {
  test("a cell has a value when its last statement is an expression", () => {
    expect(prepared("let a = 1; a").header.valued).toBe(true);
    expect(prepared("5; let a = 1").header.valued).toBe(false);
    expect(prepared("if (1) { return 5 }").header.valued).toBe(true);
    expect(prepared("1; interface X {}").header.valued).toBe(true);
  });

  test("an object literal is an object, a block a block", () => {
    expect(prepared("{ a: 1, b: 2 }").body).toBe("({ a: 1, b: 2 })");
    expect(prepared("{ let a = 1 }").body).toBe("{ let a = 1 }");
  });

  test("names are all that the top level binds or assigns, and nothing from inside functions", () => {
    const { names } = prepareCell(
      "const { a, ...b } = x; var c; function d() { e = 1 } class F {} g = 1; if (h) { var i = 2 }",
    );
    expect(names.sort()).toEqual(["F", "a", "b", "c", "d", "g", "i"]);
  });

  test("a syntax error is told by line and column, in the cell's own words", () => {
    expect(prepared("let a = 1;\nconst = 5").header.problem).toEqual({
      message: "Unexpected token",
      line: 2,
      column: 7,
    });
    expect(prepared("foo(").header.problem?.message).not.toContain("EOF");
  });
});
