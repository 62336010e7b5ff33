import { expect } from "vitest";
import type { ExecutorCase } from "./executor-case.js";

/** Tools as functions. */
export const toolCases: readonly ExecutorCase[] = [
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
];
