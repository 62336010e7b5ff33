import { mkdir, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SnapshotMover } from "./snapshot-mover.js";

it.each<[what: string, cell: string, reason: RegExp]>([
  [
    "a function over local variables",
    "const x = (() => { let n = 1; return () => n++ })()",
    /uses local variables .*: n$/,
  ],
  [
    "an instance with private fields",
    "class P { #p = 1; get() { return this.#p } } const x = new P()",
    /private fields .*: #p/,
  ],
  [
    "a class with private statics",
    "const x = class Q { static #n = 1; static up() { return ++Q.#n } }",
    /keeps state in #n/,
  ],
  ["a promise", "const x = { deep: [Promise.resolve(1)] }", /a promise, whose outcome/],
  ["a WeakMap", "const x = new WeakMap()", /a WeakMap/],
  ["a Proxy", "const x = new Proxy({}, { ownKeys() { throw new Error('never asked') } })", /a Proxy/],
  ["a generator", "const x = (function* () { yield 1 })()", /a generator/],
  ["a socket", "import net from 'node:net'; const x = new net.Socket()", /Socket|TCP/],
  ["an object of Node's own", "const x = new AbortController()", /instance of AbortController/],
  [
    "a method that uses super",
    "const y = { f() { return super.toString() } }; const x = y.f; y.f = null as any",
    /uses super/,
  ],
])("%s is left out by name with the reason, whatever else is saved [A7, Y5-24]", async (_, cell, reason) => {
  await using mover = new SnapshotMover();
  const { saved, restored, value } = await mover.moved([`const good = [1]; const both = good; ${cell}; undefined`]);
  expect(saved.skipped).toContainEqual({ name: "x", reason: expect.stringMatching(reason) });
  expect(restored.failed).toEqual([]);
  expect(await value("return [good, both === good, typeof x]")).toEqual([[1], true, "undefined"]);
});

it("a variable that one left out shares objects with is saved alone, and one that needs it by name is left out with it [A7]", async () => {
  await using mover = new SnapshotMover();
  const { saved, value } = await mover.moved([
    "const shared = { n: 1 }; const bad = { shared, p: Promise.resolve() }; const fine = { shared }",
    "const make = (() => { const k = 2; return class Local { k = k } })(); const needs = new make()",
  ]);
  expect(saved.skipped.map(({ name }) => name).sort()).toEqual(["bad", "make", "needs"]);
  expect(saved.skipped).toContainEqual({ name: "needs", reason: "it needs make, which is not saved" });
  expect(await value("return fine.shared === shared")).toBe(true);
});

it("bounds hold for one variable and for all, and name what they leave out [A7]", async () => {
  await using mover = new SnapshotMover();
  const host = await mover.start();
  await host.cell("const a = 'x'.repeat(5000), b = new Uint8Array(3000), c = [1], d = new Uint8Array(3000)");
  const saved = await mover.save(host, { maxVariableBytes: 4000, maxTotalBytes: 4000 });
  expect(saved.skipped).toEqual([
    { name: "a", reason: "it takes more than the 4000 bytes that a variable may" },
    { name: "d", reason: "all variables together may take 4000 bytes" },
  ]);
  const hurried = await mover.save(host, { maxVariableMs: -1 });
  expect(hurried.skipped.map(({ reason }) => reason)).toContain("it took longer than -0.001 s");
  const excluded = await mover.save(host, { exclude: { c: "it ended a kernel" } });
  expect(excluded.skipped).toEqual([{ name: "c", reason: "it ended a kernel" }]);
});

it("a save sends only what the host has not got; what was touched and left as it was is no byte [A7]", async () => {
  await using mover = new SnapshotMover();
  const host = await mover.start();
  await host.cell(
    "const rows = Array.from({ length: 50_000 }, (_, n) => ({ n, t: 'row ' + n })); const small = [1]; function f() { return rows }",
  );
  await mover.save(host);
  await host.cell("small.push(2); rows.push(null as any); rows.pop()");
  const second = await mover.save(host);
  expect(second.groups.filter(({ data }) => data !== undefined).map(({ names }) => names)).toEqual([["small"]]);
  expect(second.facts.data).toBeUndefined();
});

it("a save that the host withdraws stops early, with nothing half done [A7]", async () => {
  await using mover = new SnapshotMover();
  const host = await mover.start();
  await host.cell("const rows = Array.from({ length: 500_000 }, (_, n) => ({ n })); undefined");
  const controller = new AbortController();
  const params = { known: [], maxVariableBytes: 1 << 30, maxTotalBytes: 1 << 30, maxVariableMs: 60_000, exclude: {} };
  const answer = host.request("snapshot.save", params, controller.signal);
  controller.abort();
  expect(await answer).toMatchObject({ complete: false, groups: [] });
  expect((await host.cell("rows.length")).value).toBe(500_000);
});

it("the working folder and the environment are as cells left them; a folder that is gone is named [A7]", async () => {
  await using mover = new SnapshotMover();
  const first = await mover.start({ env: { DROPPED: "1" } });
  const folder = join(first.cwd, "inner");
  await mkdir(folder);
  await first.cell(`process.chdir(${JSON.stringify(folder)}); process.env.ADDED = 'yes'; delete process.env.DROPPED`);
  await mover.save(first);
  const second = await mover.start({ env: { DROPPED: "1" } });
  expect((await mover.restore(second)).failed).toEqual([]);
  expect((await second.cell("[process.cwd(), process.env.ADDED, 'DROPPED' in process.env]")).value).toEqual([
    folder,
    "yes",
    false,
  ]);
  await second.cell("process.chdir('/')");
  await first.cell("process.chdir('/')");
  await rmdir(folder);
  const third = await mover.start();
  expect((await mover.restore(third)).failed).toEqual([
    { name: `the working folder ${folder}`, reason: expect.stringContaining("ENOENT") },
  ]);
});

it("errors of restored functions name the cell and line that they were written in [A7]", async () => {
  await using mover = new SnapshotMover();
  const { second } = await mover.moved([
    "1",
    "const k = 1\n\nfunction fails(n: number) {\n  throw new Error('no ' + n)\n}\nclass C {\n  bad() { return (null as any).x }\n}",
  ]);
  const { error } = await second.cell("fails(1)");
  expect(error?.traceback).toContain("cell 2:4:9");
  expect((await second.cell("new C().bad()")).error?.traceback).toContain("cell 2:7:32");
  // And so in the kernel after that.
  await mover.save(second);
  const third = await mover.start();
  await mover.restore(third);
  expect((await third.cell("fails(1)")).error?.traceback).toContain("cell 2:4:9");
});

it("a class whose code does not end when it is made again, or throws, is named; the rest is restored [A7]", async () => {
  await using mover = new SnapshotMover();
  const first = await mover.start();
  await first.cell(
    "globalThis.quiet = true; class Loops { static { while (!(globalThis as any).quiet); } } class Throws { static { if (!(globalThis as any).quiet) throw new Error('no') } } const good = 1; class Sub extends Throws {}",
  );
  await first.cell("delete (globalThis as any).quiet");
  await mover.save(first);
  const second = await mover.start();
  const { restored, failed } = await mover.restore(second, 300);
  expect(restored).toContain("good");
  expect(failed).toEqual(
    expect.arrayContaining([
      { name: "Loops", reason: "Error: it took longer than 0.3 s" },
      { name: "Throws", reason: "Error: no" },
      { name: "Sub", reason: expect.stringContaining("Throws") },
    ]),
  );
  expect((await second.cell("good")).value).toBe(1);
});

it("a module that is not to be had is told with each variable that needs it [A7]", async () => {
  await using mover = new SnapshotMover();
  const first = await mover.start();
  await writeFile(join(first.cwd, "mine.mjs"), "export class Thing { n = 1 }; export const make = () => new Thing()");
  expect(
    (
      await first.cell(
        "import { make, Thing } from './mine.mjs'; const t = make(); const other = 2; class More extends Thing {}",
      )
    ).error,
  ).toBeUndefined();
  expect((await mover.save(first)).skipped).toEqual([]);
  const second = await mover.start();
  expect((await mover.restore(second)).failed).toEqual([]);
  expect((await second.cell("t instanceof Thing && make() instanceof Thing && new More().n === 1")).value).toBe(true);
  await rm(join(first.cwd, "mine.mjs"));
  const third = await mover.start();
  const { restored, failed } = await mover.restore(third);
  expect(restored).toEqual(["other"]);
  expect(failed.map(({ name }) => name).sort()).toEqual(["More", "Thing", "make", "t"]);
  expect(failed.find(({ name }) => name === "t")?.reason).toMatch(/needs the module file:.*mine\.mjs.*not there/);
});

it("tools that a variable stands for are found again under the new bindings; nothing is asked of the host meanwhile [A7]", async () => {
  await using mover = new SnapshotMover();
  const bindings = {
    toolkits: [
      {
        name: "web",
        identifier: "web",
        global: "web",
        tools: [
          {
            name: "get",
            identifier: "get",
            flat: "get",
            description: "",
            parameters: [{ name: "url", identifier: "url", type: "string", required: true }],
            returns: "unknown",
          },
        ],
      },
    ],
  };
  const answer = ({ method }: { method: string }) => (method === "tools.call" ? "got" : null);
  const { value, restored } = await mover.moved(
    [
      "import { get } from 'artificer:tools'; const fetchIt = tools.web.get; const kit = tools.web; class Asks { static told = ''; static { tools.web.get({ url: 'u' }).catch((e: Error) => { globalThis.told = e.message }) } }; await null",
    ],
    { bindings: bindings as never, answer },
  );
  expect(restored.failed).toEqual([]);
  expect(await value("told")).toContain("while a snapshot is being restored");
  expect(
    await value("return [await fetchIt({ url: 'a' }), await kit.get({ url: 'b' }), await get({ url: 'c' })]"),
  ).toEqual(["got", "got", "got"]);
});
