import { expect } from "vitest";
import type { ExecutorCase } from "./executor-case.js";
import { untilPrinted } from "./until-printed.js";

/** Time limits and interrupts. */
export const stopCases: readonly ExecutorCase[] = [
  {
    id: "executor.timeout.interrupts",
    title: "a time limit interrupts a busy loop and a sleep, and the state is kept [A6]",
    async run({ run, code }) {
      await run(code.setCounter);
      for (const stuck of [code.busyLoop, code.sleepForever]) {
        const outcome = await run(stuck, { timeoutMs: 200 });
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
      // Long enough to print on a busy machine.
      expect(await run(code.printThenBusy, { timeoutMs: 1_000 })).toMatchObject({
        status: "timed-out",
        stdout: "so far\n",
      });
    },
  },
  {
    id: "executor.timeout.kills",
    title: "what can't be interrupted is killed, says what was lost, and the next cell has a fresh kernel [M10]",
    needsProcess: (code) => [code.uninterruptible],
    async run({ run, code, session }) {
      await run(code.setCounter);
      session.limits.graceMs = 500;
      // Long enough for it to have become uninterruptible on a busy machine.
      const outcome = await run(code.uninterruptible, { timeoutMs: 1_000 });
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
    async run(context) {
      const { run, code } = context;
      await run(code.setCounter);
      const controller = new AbortController();
      const busy = await untilPrinted(context, code.printThenBusy, { signal: controller.signal });
      controller.abort(new Error("the user sent another message"));
      const outcome = await busy.outcome;
      expect(outcome).toMatchObject({
        status: "interrupted",
        stdout: "so far\n",
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
    async run({ run, code, reached, aborted }) {
      const controller = new AbortController();
      void reached.then(() => controller.abort(new Error("stop")));
      const outcome = await run(code.callSlow, { signal: controller.signal });
      expect(outcome).toMatchObject({ status: "interrupted", state: { variables: "kept" } });
      expect(outcome.toolCalls).toMatchObject([{ tool: "calc.never", status: "cancelled", reached: true }]);
      expect(aborted).toHaveLength(1);
    },
  },
];
