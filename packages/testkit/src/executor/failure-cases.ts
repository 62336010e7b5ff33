import { expect } from "vitest";
import type { ExecutorCase } from "./executor-case.js";
import { expectGone } from "./expect-gone.js";

/** How cells and kernels fail, and what a hostile cell can harm. */
export const failureCases: readonly ExecutorCase[] = [
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
    id: "executor.crash.exit",
    title: "a kernel that ends itself is a crashed outcome with its last output, at once [A6]",
    needsProcess: (code) => [code.dieNow],
    async run({ run, code }) {
      const outcome = await run(code.dieNow);
      expect(outcome).toMatchObject({
        status: "crashed",
        error: { code: "kernel/crashed" },
        state: { variables: "lost" },
      });
      expect(outcome.error?.message).toContain(code.dieNowTold);
      expect(outcome.stdout).toBe("last words\n");
      expect(await run(code.value)).toMatchObject({ value: 2, generation: 2 });
    },
  },
  {
    id: "executor.crash.signal",
    title: "a kernel that is killed is a crashed outcome that names the signal",
    needsProcess: (code) => [code.killSelf],
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
    async run({ run, code, session }) {
      session.limits.graceMs = 500;
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
    id: "executor.end.group",
    title: "ending a kernel ends the children of its cells too",
    async run({ run, code, session, language, under }) {
      const { value: pid } = await run(code.processGroupChild);
      await session.restart(language);
      // In a container or pid namespace the number means nothing here, and the kernel's end is the child's.
      if (/^(process|none)$/.test(under.executor.capabilities.isolation)) await expectGone(pid as number);
    },
  },
];
