import { expect, it } from "vitest";
import { SnapshotMover } from "./snapshot-mover.js";

/** What a cell binds, and what must be true of it in the next kernel. */
const cases: [what: string, cells: string[], truths: string[]][] = [
  [
    "primitives of every kind, under every kind of declaration",
    [
      "const a = 1; let b: string = 'é'; var c = 12345678901234567890n; d = -0",
      "const u = undefined, n = null, nan = NaN, t = true",
    ],
    [
      "a === 1 && b === 'é' && c === 12345678901234567890n",
      "Object.is(d, -0) && u === undefined && n === null && Number.isNaN(nan) && t",
      "globalThis.d === 0 && !('a' in globalThis)",
    ],
  ],
  [
    "Map, Set, Date, RegExp, boxed primitives and URL, with what they hold",
    [
      "const m = new Map<any, any>([[{ k: 1 }, new Set([1, [2]])]]); const when = new Date(5); const re = /a(b)/giu; re.lastIndex = 3; const box = [Object(1n), Object('s'), new Boolean(false)]; const u = new URL('http://x/y?z=1')",
    ],
    [
      "[...m.keys()][0].k === 1 && [...[...m.values()][0]][1][0] === 2",
      "when.getTime() === 5 && re.source === 'a(b)' && re.flags === 'giu' && re.lastIndex === 3",
      "typeof box[0] === 'object' && box[0] == 1n && box[1].length === 1 && box[2] instanceof Boolean",
      "u instanceof URL && u.searchParams.get('z') === '1'",
    ],
  ],
  [
    "typed arrays and buffers, views of one memory still of one memory",
    [
      "const buf = new ArrayBuffer(16); const bytes = new Uint8Array(buf, 4, 4); const ints = new Int32Array(buf); const view = new DataView(buf); bytes[0] = 7; const b = Buffer.from('hello'); const big = new BigInt64Array([1n, -1n])",
    ],
    [
      "ints[1] === 7 && view.getUint8(4) === 7",
      "bytes[0] = 9, ints[1] === 9 && bytes.buffer === buf && view.buffer === buf",
      "Buffer.isBuffer(b) && b.toString() === 'hello'",
      "big[1] === -1n",
    ],
  ],
  [
    "errors with message, stack, cause and class",
    [
      "const cause = new RangeError('inner'); const e: any = new Error('outer', { cause }); e.extra = [1]; class Mine extends TypeError { code = 7 }; const mine = new Mine('m'); const many = new AggregateError([e], 'all')",
    ],
    [
      "e instanceof Error && e.message === 'outer' && e.cause === cause && cause instanceof RangeError && e.extra[0] === 1",
      "e.stack.includes('outer') && !Object.keys(e).includes('stack') && Object.prototype.toString.call(e) === '[object Error]'",
      "mine instanceof Mine && mine instanceof TypeError && mine.code === 7 && mine.name === 'TypeError'",
      "many.errors[0] === e",
    ],
  ],
  [
    "cycles, aliases between variables and objects shared by several",
    [
      "const a: any[] = [1]; const b = a; const shared = { k: 1 }; const left = { s: shared }; const right = new Map([['r', [shared]]]); const loop: any = {}; loop.self = loop; a.push(a)",
    ],
    ["a === b && a[1] === a", "left.s === shared && right.get('r')![0] === shared", "loop.self === loop"],
  ],
  [
    "prototypes, accessors, symbols, attributes, frozen and sealed objects",
    [
      "const key = Symbol('key'); const base = { hi() { return 'hi ' + (this as any).n } }; const o: any = Object.create(base, { n: { value: 3, enumerable: false } }); o[key] = 1; o[Symbol.for('g')] = 2",
      "const acc = { v: 1, get twice() { return this.v * 2 }, set twice(x) { this.v = x / 2 }, [Symbol.iterator]: function* () { yield 5 } }; const fz = Object.freeze({ in: [1] }); const sl = Object.seal({ a: 1 }); const bare = Object.create(null); bare.__proto__ = 4; const holes = [1, , 3]; const named: any = [1]; named.label = 'x'",
    ],
    [
      "o.hi() === 'hi 3' && Object.getPrototypeOf(o) === base && !Object.keys(o).includes('n')",
      "o[key] === 1 && o[Symbol.for('g')] === 2 && key.description === 'key'",
      "acc.twice === 2 && (acc.twice = 10, acc.v === 5) && [...acc][0] === 5",
      "Object.isFrozen(fz) && Object.isSealed(sl) && !Object.isFrozen(sl) && fz.in[0] === 1",
      "Object.getPrototypeOf(bare) === null && bare.__proto__ === 4",
      "!(1 in holes) && holes.length === 3 && named.label === 'x' && named.length === 1",
    ],
  ],
  [
    "functions of every form, with what cells set on them",
    [
      "const FACTOR = 3; function scale(n: number) { return n * FACTOR } async function later(n: number) { return scale(n) } const twice = (n: number): number => n * 2; function* gen() { yield* [1, 2] }",
      "scale.calls = 4; const o = { m(x: number) { return x + 1 }, async *stream() { yield 1 }, get q() { return FACTOR } }; const m = o.m; const bound = scale.bind(null, 5); const fact = function f(n: number): number { return n ? n * f(n - 1) : 1 }; const max = Math.max; const log = console.log; function Old(this: any) { this.x = 1 } Old.prototype.go = function () { return this.x }; const old = new (Old as any)()",
    ],
    [
      "scale(2) === 6 && twice(4) === 8 && [...gen()].length === 2 && (scale as any).calls === 4",
      "await later(3) === 9",
      "m(1) === 2 && o.m === m && o.q === 3 && bound() === 15 && fact(4) === 24",
      "max === Math.max && log === console.log && twice.name === 'twice' && m.name === 'm'",
      "old instanceof (Old as any) && old.go() === 1",
      "FACTOR = 10, scale(2) === 20",
      "(await o.stream().next()).value === 1",
    ],
  ],
  [
    "classes, their statics, subclasses and instances",
    [
      "class Point { static made = 0; static all: Point[] = []; constructor(public x: number, private y = 2) { Point.made++; Point.all.push(this) } total() { return this.x + this.y } static of(x: number) { return new Point(x) } get double() { return this.x * 2 } }",
      "const p = Point.of(1); class Named extends Point { name = 'n'; total() { return super.total() + 100 } } const q = new Named(5); const list = [p, q]; class Stack<T> extends Array<T> { top() { return this.at(-1) } } const st = new Stack<number>(); st.push(1, 2); const tot = p.total; Point.prototype.extra = function () { return 'extra' }",
    ],
    [
      "p instanceof Point && q instanceof Named && q instanceof Point && list[1] === q",
      "p.total() === 3 && q.total() === 107 && p.double === 2 && q.name === 'n'",
      "Point.made === 2 && Point.all[0] === p && Point.all.length === 2",
      "Point.of(3).x === 3 && Point.made === 3",
      "st instanceof Stack && Array.isArray(st) && st.length === 2 && st.top() === 2",
      "tot === Point.prototype.total && (p as any).extra() === 'extra'",
    ],
  ],
  [
    "classes that need other variables when they are made, in whatever order",
    [
      "const LIMIT = [5]; const mixin = (B: any) => class extends B { mixed() { return 'mixed' } }; class Aa { limit = LIMIT }",
      "class A0 extends mixin(Aa) { static limit = LIMIT; static seen = new A0() } const a0 = new A0() as any; const box = { of: A0 }; enum Color { Red, Green = 5 } const c = Color.Green",
    ],
    [
      "A0.limit === LIMIT && A0.seen instanceof A0 && a0.mixed() === 'mixed' && a0 instanceof Aa && a0.limit === LIMIT",
      "box.of === A0 && Color[5] === 'Green' && c === 5",
    ],
  ],
  [
    "imports, static and dynamic, and what was taken from them",
    [
      "import fs, { readFileSync as read } from 'node:fs'; import * as path from 'path'; import { EventEmitter } from 'events'",
      "const { createHash } = await import('node:crypto'); const os = require('os'); class Bus extends EventEmitter { count = 0 } const bus = new Bus(); bus.on('x', () => { seen.push(1) }); const seen: number[] = []; const table = { read, join: path.join }",
    ],
    [
      "read === fs.readFileSync && path.basename('/a/b') === 'b' && table.join === path.join",
      "createHash('md5').update('').digest('hex').startsWith('d41d8')",
      "os.cpus().length > 0 && bus instanceof EventEmitter && (bus.emit('x'), seen.length === 1)",
    ],
  ],
];

it.each(cases)("a restored kernel has %s [A7, Y5-24]", async (_, cells, truths) => {
  await using mover = new SnapshotMover();
  const { restored, saved, value } = await mover.moved(cells);
  expect(saved.skipped).toEqual([]);
  expect(restored.failed).toEqual([]);
  for (const truth of truths) expect(await value(`return (${truth})`), truth).toBe(true);
});
