import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ScriptedHost } from "../scripted-host.js";

let host: ScriptedHost;
beforeAll(async () => {
  host = await ScriptedHost.open();
});
afterAll(() => host.close());

test("console in full, with its levels on the right streams", async () => {
  const { stdout, stderr } = await host.cell(`
    console.log("a %s %d", "b", 1); console.info("info"); console.debug("debug");
    console.warn("warn"); console.error(new Error("err").message);
    console.table([{ x: 1 }]); console.group("g"); console.log("inner"); console.groupEnd();
    console.count(); console.assert(false, "assert"); console.dir({ deep: { deep: { deep: 1 } } }, { depth: 5 });
    console.time("t"); console.timeEnd("t"); process.stdout.write("no newline"); process.stderr.write(Buffer.from("bytes\\n"))`);
  expect(stdout).toMatch(
    /^a b 1\ninfo\ndebug\n┌[\s\S]*┘\ng\n {2}inner\ndefault: 1\n\{ deep: \{ deep: \{ deep: 1 \} \} \}\nt: [\d.]+\S*\nno newline$/,
  );
  expect(stderr).toBe("warn\nerr\nAssertion failed: assert\nbytes\n");
});

test("output keeps its order with that of child processes", async () => {
  const { stdout } = await host.cell(`
    import { execFileSync, spawn } from "node:child_process";
    for (let i = 0; i < 3; i++) { console.log("cell", i); execFileSync("sh", ["-c", "echo child " + i], { stdio: "inherit" }) }
    const child = spawn("sh", ["-c", "echo spawned"], { stdio: "inherit" }); await new Promise((done) => child.on("close", done));
    console.log("end")`);
  expect(stdout).toBe("cell 0\nchild 0\ncell 1\nchild 1\ncell 2\nchild 2\nspawned\nend\n");
});

test("a cell that can't have written anything gives no marker; one that may have, does", async () => {
  await using own = await ScriptedHost.open();
  expect((await own.cell("1 + 1")).marker).toBeUndefined();
  expect((await own.cell('import { join } from "node:path"; join("a", "b")')).marker).toBeUndefined();
  expect((await own.cell("console.log(1)")).marker).toMatch(/^\0artificer:[0-9a-f]{24}\0$/);
  expect((await own.cell("1 + 1")).marker).toBeUndefined();
  const written = await own.cell('import fs from "node:fs"; fs.writeSync(1, "direct\\n")');
  expect(written.stdout).toBe("direct\n");
  expect((await own.cell("1")).marker).toBeDefined();
});

test("two hundred thousand lines arrive whole", async () => {
  const { stdout } = await host.cell("for (let i = 0; i < 200_000; i++) console.log(i)");
  expect(stdout.split("\n").length).toBe(200_001);
  expect(stdout.endsWith("199999\n")).toBe(true);
});

describe("what happens after a cell", () => {
  test("output of timers arrives, after the cell's own end", async () => {
    const { stdout } = await host.cell(
      "import { existsSync } from 'node:fs'; const waits = setInterval(() => { if (existsSync('go')) { clearInterval(waits); console.log('late') } }, 5); 1",
    );
    expect(stdout).toBe("");
    await writeFile(join(host.cwd, "go"), "");
    while (!host.stdout.includes("late")) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  test("an exception in a timer and a rejection nobody handles are told on stderr, and the kernel lives", async () => {
    const { stderr } = await host.cell("Promise.reject(new Error('unheard')); 1");
    expect(stderr).toMatch(/^Unhandled error in cell \d+: Error: unheard\n {4}at cell \d+:1:16\n$/);
    await host.cell(
      "const throws = setInterval(() => { if (require('node:fs').existsSync('throw')) { clearInterval(throws); throw new TypeError('in timer') } }, 5)",
    );
    await writeFile(join(host.cwd, "throw"), "");
    while (!host.stderr.includes("in timer")) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(host.stderr).toMatch(/Unhandled error in the background, after cell \d+: TypeError: in timer/);
    await host.cell(
      "process.removeAllListeners(); setTimeout(() => { new (require('node:events'))().emit('error', new Error('emitted')) }, 5)",
    );
    while (!host.stderr.includes("emitted")) await new Promise((resolve) => setTimeout(resolve, 5));
    await host.cell("setTimeout(() => process.exit(9), 5)");
    while (!host.stderr.includes("process.exit(9)")) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await host.cell("1 + 1")).value).toBe(2);
  });

  test("intervals can be cleared by a later cell, and promisified timers work", async () => {
    await host.cell("let ticks = 0; const ticker = setInterval(() => ticks++, 2)");
    const { value } = await host.cell(
      "await require('node:util').promisify(setTimeout)(30); clearInterval(ticker); const seen = ticks; await new Promise((r) => setTimeout(r, 20)); [seen > 0, ticks === seen]",
    );
    expect(value).toEqual([true, true]);
    expect((await host.cell("await new Promise((r) => setTimeout((a, b) => r([a, b]), 1, 'a', 'b'))")).value).toEqual([
      "a",
      "b",
    ]);
  });
});
