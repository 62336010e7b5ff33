import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { isRunning } from "@artificer/testkit/services";
import { expect, test } from "vitest";
import { createCheckerProcess } from "../../src/check/checker-process.js";
import { createCellChecker } from "../../src/check/create-cell-checker.js";
import { lendChecker } from "../../src/check/lend-checker.js";

const folder = tmpdir();
const request = (code: string) => ({ folder, tools: "", modules: [], known: [], code, assigned: [] });
const wrong = "const a: number = 'x'";

test("a process that was killed is started again, also in the middle of a question", async () => {
  const checker = createCheckerProcess();
  try {
    await checker.ask(request("1"));
    const first = checker.pid!;
    process.kill(first, "SIGKILL");
    await expect.poll(() => isRunning(first)).toBe(false);
    expect((await checker.ask(request(wrong))).problems).toHaveLength(1);
    const second = checker.pid!;
    expect(second).not.toBe(first);
    const asked = checker.ask(request(wrong));
    process.kill(second, "SIGKILL");
    expect((await asked).problems).toHaveLength(1);
    expect(checker.pid).not.toBe(second);
  } finally {
    await checker.close();
  }
});

test("many questions at once are answered each with its own; withdrawn ones reject and harm none", async () => {
  const checker = createCheckerProcess();
  try {
    const controller = new AbortController();
    const withdrawn = Promise.allSettled([1, 2].map(() => checker.ask(request("1"), { signal: controller.signal })));
    const answers = Promise.all(
      Array.from({ length: 12 }, (_, index) => checker.ask(request(`${"\n".repeat(index)}${wrong}`))),
    );
    controller.abort(new Error("enough"));
    expect((await withdrawn).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect((await answers).map(({ problems }) => problems[0]?.line)).toEqual(
      Array.from({ length: 12 }, (_, i) => i + 1),
    );
  } finally {
    await checker.close();
  }
});

test("a cell that takes too long is given up with a code, and the next is checked", async () => {
  const checker = createCheckerProcess({ deadlineMs: 30 });
  try {
    const endless = Array.from(
      { length: 20_000 },
      (_, i) => `const v${i} = [{ a: ${i}, b: [${i}] }].map((x) => x.b)`,
    ).join("\n");
    await expect(checker.ask(request(endless))).rejects.toMatchObject({ code: "cell/check-failed" });
  } finally {
    await checker.close();
  }
  const patient = createCheckerProcess();
  try {
    expect((await patient.ask(request(wrong))).problems).toHaveLength(1);
  } finally {
    await patient.close();
  }
});

test("a cell that needs more memory than there is ends the process and not the host, and is told", async () => {
  const checker = createCheckerProcess({ maxHeapBytes: 220 * 2 ** 20, deadlineMs: 60_000 });
  try {
    await checker.ask(request("1"));
    const union = Array.from({ length: 300 }, (_, i) => `"k${i}"`).join(" | ");
    const huge = `type A = ${union};\n${Array.from({ length: 40 }, (_, i) => `type T${i} = \`\${A}${i}\${A}\`; const c${i}: T${i} = "x" as any as T${i}; let k${i}: { [K in T${i}]: K } = null!; k${i}.x;`).join("\n")}`;
    await expect(checker.ask(request(huge))).rejects.toMatchObject({ code: "cell/check-failed" });
    expect((await checker.ask(request(wrong))).problems).toHaveLength(1);
  } finally {
    await checker.close();
  }
});

test("without a compiler the package is named, and nothing is left running", async () => {
  const checker = createCellChecker({ compiler: "/nowhere/typescript" });
  const context = { tools: "", names: [], folder };
  await expect(checker.check("1", context)).rejects.toMatchObject({
    code: "cell/checker-missing",
    message: expect.stringContaining('needs the package "typescript"'),
    hint: expect.stringContaining("npm install typescript"),
  });
  await checker.close();
  await expect(checker.check("1", context)).rejects.toMatchObject({ code: "cell/check-failed" });
});

test("a package that is no compiler to be called is refused by its version", async () => {
  const checker = createCellChecker({ compiler: "vitest/package.json" });
  await expect(checker.check("1", { tools: "", names: [], folder })).rejects.toMatchObject({
    code: "cell/checker-missing",
    message: expect.stringMatching(/version \d+\.\d+\.\d+ can't/),
  });
  await checker.close();
});

test("where Node's types are not installed its names are known all the same", async () => {
  const checker = createCellChecker({ nodeTypes: false });
  try {
    const context = { tools: "", names: [], folder };
    const code =
      "import { readFile } from 'node:fs/promises'; console.log(await readFile('x'), Buffer.from('a'), process.pid, new URL('a:b').href); setTimeout(() => {}, 1); await fetch('x')";
    expect(await checker.check(code, context)).toEqual([]);
    expect(await checker.check("consle.log(1); console.lgo(1)", context)).toMatchObject([
      { column: 1 },
      { column: 24 },
    ]);
  } finally {
    await checker.close();
  }
});

test("sessions share one process, and the last to close ends it", async () => {
  const [one, other] = [lendChecker({}), lendChecker({})];
  await one.process.ask(request("1"));
  const pid = other.process.pid!;
  expect(pid).toBe(one.process.pid);
  await one.giveBack();
  await one.giveBack();
  expect(isRunning(pid)).toBe(true);
  await other.giveBack();
  await expect.poll(() => isRunning(pid)).toBe(false);
  await expect(other.process.ask(request("1"))).rejects.toMatchObject({ code: "cell/check-failed" });
});

test("a host that is killed leaves none behind, and one that just ends is not held up", async () => {
  const module = fileURLToPath(new URL("../../dist/check/checker-process.js", import.meta.url));
  const script = (then: string) => `
    import { createCheckerProcess } from ${JSON.stringify(module)};
    const checker = createCheckerProcess();
    await checker.ask(${JSON.stringify(request("1"))});
    console.log(checker.pid);
    ${then}`;
  for (const then of ["setInterval(() => {}, 1000);", ""]) {
    const host = spawn(process.execPath, ["--input-type=module", "-e", script(then)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => host.once("exit", resolve));
    const pid = await new Promise<number>((resolve) => host.stdout.once("data", (text) => resolve(Number(text))));
    if (then !== "") host.kill("SIGKILL");
    await ended;
    await expect.poll(() => isRunning(pid)).toBe(false);
  }
});
