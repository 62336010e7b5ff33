import { decodeValue, encodeValue, type Language } from "@artificer/protocol";
import { expect } from "vitest";
import { type ExecutorUnderTest, openSuiteSession, type SuiteSession } from "./open-suite-session.js";
import { type Snippets, snippets } from "./snippets.js";

/** What a case is given: a session of its own around the driver, and the language's snippets. */
export interface ExecutorCaseContext extends SuiteSession {
  language: Language;
  code: Snippets;
  under: ExecutorUnderTest;
  run(code: string, options?: { timeoutMs?: number; signal?: AbortSignal }): ReturnType<SuiteSession["session"]["run"]>;
}

export interface ExecutorCase {
  /** Requirement id, `executor.<subject>.<what>`. */
  id: string;
  title: string;
  run(context: ExecutorCaseContext): Promise<void>;
}

/** Every executor runs all of these in every language it declares; nothing is skipped. */
export const executorCases: readonly ExecutorCase[] = [
  {
    id: "executor.value.last-expression",
    title: "the last expression is the outcome's value, with its repr and its generation",
    async run({ run, code, language }) {
      const outcome = await run(code.value);
      expect(outcome).toMatchObject({
        status: "completed",
        value: 2,
        repr: "2",
        generation: 1,
        cell: 1,
        language,
        state: { variables: "kept" },
      });
      expect(outcome.error).toBeUndefined();
      expect(JSON.parse(JSON.stringify(outcome))).toMatchObject({ status: "completed", value: 2 });
      expect(outcome.toText()).toContain("2");
    },
  },
  {
    id: "executor.value.rich",
    title: "bytes and big integers arrive as themselves",
    async run({ run, code }) {
      expect((await run(code.bytes)).value).toEqual(Uint8Array.from({ length: 256 }, (_, index) => index));
      expect((await run(code.bigInteger)).value).toBe(2n ** 100n);
    },
  },
  {
    id: "executor.state.persists",
    title: "variables live on from cell to cell [M9] [A1]",
    async run({ run, code }) {
      await run(code.setCounter);
      expect(await run(code.readCounter)).toMatchObject({ value: 42, cell: 2, generation: 1 });
    },
  },
  {
    id: "executor.state.restart",
    title: "a restart gives a fresh kernel of the next generation, and the next cell is told [M9]",
    async run({ run, code, session, language }) {
      await run(code.setCounter);
      await session.restart(language);
      const outcome = await run(code.readCounter);
      expect(outcome).toMatchObject({ status: "failed", generation: 2 });
    },
  },
  {
    id: "executor.cell.top-level-await",
    title: "await works at the top level",
    async run({ run, code }) {
      expect(await run(code.topLevelAwait)).toMatchObject({ status: "completed", value: 7 });
    },
  },
  {
    id: "executor.output.order",
    title: "output keeps its order over both streams [A5]",
    async run({ run, code }) {
      const outcome = await run(code.printBoth);
      expect(outcome).toMatchObject({ stdout: "one\nthree\n", stderr: "two\n" });
      expect(outcome.output).toEqual([
        { stream: "stdout", text: "one\n" },
        { stream: "stderr", text: "two\n" },
        { stream: "stdout", text: "three\n" },
      ]);
    },
  },
  {
    id: "executor.output.descriptor",
    title: "a child process's output and raw writes belong to the cell, in order",
    async run({ run, code }) {
      expect((await run(code.childOutput)).stdout).toBe("before\nchild\nraw\nafter\n");
    },
  },
  {
    id: "executor.output.unicode",
    title: "text outside ASCII arrives whole",
    async run({ run, code }) {
      expect((await run(code.unicode)).stdout).toBe("grüße 🎈\n");
    },
  },
  {
    id: "executor.output.flood",
    title:
      "200 MB of output are capped head and tail, counted, and told with the artifact that holds the rest [M8] [A5]",
    async run({ run, code, session }) {
      const outcome = await run(code.flood(200e6));
      expect(outcome.status).toBe("completed");
      expect(Buffer.byteLength(outcome.stdout)).toBeLessThan(51_000);
      const [cut] = outcome.truncated;
      expect(cut).toMatchObject({ what: "stdout", totalBytes: Math.ceil(200e6 / 65_536) * 65_536 });
      expect(await session.artifactExists(cut!.artifact!)).toBe(true);
      expect(await run(code.value)).toMatchObject({ value: 2, generation: 1 });
    },
  },
  {
    id: "executor.output.late",
    title: "output after a cell's end is told as such with the next cell",
    async run({ run, code }) {
      expect(await run(code.lateOutput)).toMatchObject({ status: "completed", value: "done", stdout: "" });
      await new Promise((resolve) => setTimeout(resolve, 800));
      const next = await run(code.value);
      expect(next.stdout).toBe("");
      expect(next.background.map(({ text }) => text).join("")).toContain("too late");
      expect(next.toText()).toContain("too late");
    },
  },
  {
    id: "executor.output.display",
    title: "an image that is shown arrives as bytes [A5]",
    async run({ run, code }) {
      const [display] = (await run(code.showPng)).displays;
      expect(
        Buffer.from(display!.data["image/png"] as Uint8Array)
          .subarray(1, 4)
          .toString(),
      ).toBe("PNG");
    },
  },
  {
    id: "executor.failure.exception",
    title: "an exception is a failed outcome whose traceback names the cell and the line [A6] [M10]",
    async run({ run, code }) {
      const outcome = await run(code.fail);
      expect(outcome).toMatchObject({ status: "failed", error: { code: "cell/exception", type: code.failType } });
      expect(outcome.traceback).toMatch(new RegExp(`cell 1"?(, line |:)${code.failLine}\\b`));
      expect(outcome.traceback).not.toMatch(/node_modules|kernel-|run_cell/);
      expect(outcome.state.variables).toBe("kept");
    },
  },
  {
    id: "executor.failure.syntax",
    title: "a syntax error is told with its line, and nothing has run",
    async run({ run, code }) {
      expect(await run(code.syntaxError)).toMatchObject({ status: "failed", error: { code: "cell/syntax", line: 1 } });
    },
  },
  {
    id: "executor.failure.exit",
    title: "exit() ends the cell, not the kernel; a status is reported as it was [M10]",
    async run({ run, code }) {
      await run(code.setCounter);
      expect(await run(code.exitZero)).toMatchObject({ status: "completed" });
      expect(await run(code.exitThree)).toMatchObject({
        status: "failed",
        error: { code: "cell/exited", message: expect.stringContaining("3") },
      });
      expect(await run(code.readCounter)).toMatchObject({ value: 42, generation: 1 });
    },
  },
  {
    id: "executor.failure.stdin",
    title: "reading stdin finds it empty instead of waiting",
    async run({ run, code }) {
      expect(await run(code.readStdin)).toMatchObject({ status: "failed" });
    },
  },
  {
    id: "executor.failure.recursion",
    title: "endless recursion is the cell's own failure",
    async run({ run, code }) {
      expect(await run(code.recursion)).toMatchObject({ status: "failed", state: { variables: "kept" } });
      expect(await run(code.value)).toMatchObject({ value: 2, generation: 1 });
    },
  },
  {
    id: "executor.timeout.interrupts",
    title: "a time limit interrupts a busy loop and a sleep, and the state is kept [A6]",
    async run({ run, code }) {
      await run(code.setCounter);
      for (const stuck of [code.busyLoop, code.sleepForever]) {
        const outcome = await run(stuck, { timeoutMs: 150 });
        expect(outcome).toMatchObject({
          status: "timed-out",
          error: { code: "cell/timed-out" },
          state: { variables: "kept" },
        });
      }
      expect(await run(code.readCounter)).toMatchObject({ value: 42, generation: 1 });
    },
  },
  {
    id: "executor.timeout.keeps-output",
    title: "a timed-out cell keeps what it had printed [M10]",
    async run({ run, code }) {
      expect(await run(code.printThenBusy, { timeoutMs: 250 })).toMatchObject({
        status: "timed-out",
        stdout: "so far\n",
      });
    },
  },
  {
    id: "executor.timeout.kills",
    title: "what can't be interrupted is killed, says what was lost, and the next cell has a fresh kernel [M10]",
    async run({ run, code }) {
      await run(code.setCounter);
      const outcome = await run(code.uninterruptible, { timeoutMs: 150 });
      expect(outcome).toMatchObject({
        status: "timed-out",
        state: { variables: "lost", note: expect.stringContaining("killed") },
      });
      expect(await run(code.value)).toMatchObject({ value: 2, generation: 2 });
    },
  },
  {
    id: "executor.interrupt.signal",
    title: "the caller's signal interrupts, with the caller's reason, and the state is kept [M10]",
    async run({ run, code }) {
      await run(code.setCounter);
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error("the user sent another message")), 150);
      const outcome = await run(code.busyLoop, { signal: controller.signal });
      expect(outcome).toMatchObject({
        status: "interrupted",
        error: { code: "cell/interrupted" },
        state: { variables: "kept" },
      });
      expect(outcome.error?.message).toContain("the user sent another message");
      expect(await run(code.readCounter)).toMatchObject({ value: 42 });
    },
  },
  {
    id: "executor.interrupt.before",
    title: "a signal that has fired already runs nothing",
    async run({ run, code, session, language }) {
      expect(await run(code.setCounter, { signal: AbortSignal.abort(new Error("too late")) })).toMatchObject({
        status: "interrupted",
      });
      expect(await session.variables(language)).toEqual([]);
    },
  },
  {
    id: "executor.interrupt.reaches-tools",
    title: "an interrupt reaches the tool that the cell waits for",
    async run({ run, code, aborted }) {
      // The kernel's start is no part of this.
      await run(code.value);
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error("stop")), 200);
      const outcome = await run(code.callSlow, { signal: controller.signal });
      expect(outcome).toMatchObject({ status: "interrupted", state: { variables: "kept" } });
      expect(outcome.toolCalls).toMatchObject([{ tool: "calc.never", status: "cancelled", reached: true }]);
      expect(aborted).toHaveLength(1);
    },
  },
  {
    id: "executor.crash.exit",
    title: "a kernel that ends itself is a crashed outcome with its last output, at once [A6]",
    async run({ run, code }) {
      const outcome = await run(code.dieNow);
      expect(outcome).toMatchObject({
        status: "crashed",
        error: { code: "kernel/crashed" },
        state: { variables: "lost" },
      });
      expect(outcome.error?.message).toContain("3");
      expect(outcome.stdout).toBe("last words\n");
      expect(await run(code.value)).toMatchObject({ value: 2, generation: 2 });
    },
  },
  {
    id: "executor.crash.signal",
    title: "a kernel that is killed is a crashed outcome that names the signal",
    async run({ run, code }) {
      const outcome = await run(code.killSelf);
      expect(outcome.status).toBe("crashed");
      expect(outcome.error?.message).toMatch(/SIGKILL|137/);
      expect(outcome.toText()).toContain("fresh kernel");
    },
  },
  {
    id: "executor.hostile.descriptors",
    title: "a cell that writes to every descriptor or closes them all harms itself alone",
    async run({ run, code }) {
      for (const hostile of [code.writeEveryDescriptor, code.closeDescriptors]) {
        const outcome = await run(hostile, { timeoutMs: 3_000 });
        expect(["completed", "failed", "crashed", "timed-out"]).toContain(outcome.status);
        expect(await run(code.value, { timeoutMs: 5_000 })).toMatchObject({
          status: expect.stringMatching(/completed|crashed|timed-out/),
        });
        expect(await run(code.value)).toMatchObject({ status: "completed", value: 2 });
      }
    },
  },
  {
    id: "executor.hostile.fork",
    title: "a fork that returns from the cell answers once, as the parent",
    async run({ run, code }) {
      expect(await run(code.forkAndReturn)).toMatchObject({ status: "completed", value: "parent" });
      expect(await run(code.value)).toMatchObject({ value: 2 });
    },
  },
  {
    id: "executor.hostile.names",
    title: "replaced builtins and a shadowed `tools` don't break the kernel",
    async run({ run, code }) {
      expect(await run(code.shadowTools)).toMatchObject({ status: "completed", value: 5 });
      await run(code.unshadowTools);
      expect(await run(code.callAdd(1, 2))).toMatchObject({ status: "completed", value: 3 });
      await run(code.breakBuiltins);
      expect(await run(code.value)).toMatchObject({ status: "completed", value: 2 });
    },
  },
  {
    id: "executor.tools.call",
    title: "a tool is a function: called with values, it answers one, and the call is told [M2] [M3]",
    async run({ run, code }) {
      const outcome = await run(code.callAdd(2, 40));
      expect(outcome).toMatchObject({
        value: 42,
        toolCalls: [{ tool: "calc.add", status: "completed", reached: true }],
      });
      expect(outcome.toolCalls[0]!.resultBytes).toBeGreaterThan(0);
    },
  },
  {
    id: "executor.tools.overlap",
    title: "calls made together overlap",
    async run({ run, code }) {
      expect(await run(code.callSlowTwice, { timeoutMs: 10_000 })).toMatchObject({
        status: "completed",
        value: ["met", "met"],
      });
      expect(await run(code.callMany(1000))).toMatchObject({ status: "completed", value: 500_500 });
    },
  },
  {
    id: "executor.tools.errors",
    title:
      "a wrong name, a wrong argument and a failing tool are errors that say how to mend them, and the cell can catch them",
    async run({ run, code }) {
      const name = await run(code.callWrongName);
      expect(name.status).toBe("failed");
      expect(name.traceback).toContain("add");
      const argument = await run(code.callWrongArgument);
      expect(argument.status).toBe("failed");
      expect(argument.traceback).toMatch(/\bc\b/);
      expect((await run(code.callFailing)).traceback).toContain("the tool's own fault");
      expect(await run(code.catchFailing)).toMatchObject({ status: "completed", value: "tool/failed" });
    },
  },
  {
    id: "executor.environment.scrubbed",
    title: "the host's secrets are not in the kernel's environment [M6]",
    async run({ run, code }) {
      const env = (await run(code.environment)).value as Record<string, string>;
      expect(
        Object.keys(env)
          .filter((name) => name.startsWith("ARTIFICER_"))
          .sort(),
      ).toEqual(["ARTIFICER_BASE", "ARTIFICER_HOME", "ARTIFICER_LANGUAGE", "ARTIFICER_SESSION"]);
      expect(JSON.stringify(env)).not.toMatch(/not-for-cells|secret@host/);
    },
  },
  {
    id: "executor.end.group",
    title: "ending a kernel ends the children of its cells too",
    async run({ run, code, session, language, under }) {
      const { value: pid } = await run(code.processGroupChild);
      await session.restart(language);
      // In a container or pid namespace the number means nothing here, and the kernel's end is the child's.
      if (under.executor.capabilities.isolation === "process") await expectGone(pid as number);
    },
  },
  {
    id: "executor.wire.codec",
    title: "what a kernel sends decodes to what the host would encode",
    async run({ run, code }) {
      const { value } = await run(code.bytes);
      const { json, parts } = encodeValue(value);
      expect(decodeValue(json, parts)).toEqual(value);
    },
  },
];

async function expectGone(pid: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`process ${pid} is still there`);
}

/** Opens what a case needs. */
export async function openCase(
  language: Language,
  open: () => Promise<ExecutorUnderTest>,
): Promise<ExecutorCaseContext> {
  const under = await open();
  const suite = openSuiteSession(under);
  return {
    ...suite,
    under,
    language,
    code: snippets[language],
    run: (code, options) => suite.session.run(code, { language, ...options }),
  };
}
