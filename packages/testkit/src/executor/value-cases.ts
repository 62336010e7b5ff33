import { expect } from "vitest";
import type { ExecutorCase } from "./executor-case.js";

/** What becomes of values that are large, or that other cells are to have. */
export const valueCases: readonly ExecutorCase[] = [
  {
    id: "executor.value.reference",
    title: "a large value is told by a reference, kept as an artifact, and there in the next cell [M8] [A5]",
    async run({ run, code, session }) {
      const outcome = await run(code.large);
      expect(outcome.value).toBeUndefined();
      expect(outcome.reference).toMatchObject({ id: "_1", type: code.largeType, shape: [2_000_000] });
      expect(outcome.reference!.bytes).toBeGreaterThanOrEqual(2_000_000);
      expect(outcome.toText().length).toBeLessThan(2_500);
      expect(await session.loadArtifact(outcome.reference!.artifact!)).toBe("x".repeat(2_000_000));
      expect((await run(code.largeRead)).value).toBe(2_000_000);
    },
  },
  {
    id: "executor.value.shared",
    title:
      "a shared value is a copy that the host keeps: it outlives the kernel, and the host takes and gives such values too",
    async run({ run, code, session, language }) {
      const rows = [1, new Map([[2, new Uint8Array([120])]]), new Set([3])];
      expect(await run(code.share)).toMatchObject({ status: "completed", shared: ["rows"] });
      expect(await session.take("rows")).toEqual(rows);
      await session.restart(language);
      expect((await run(code.take)).value).toEqual([rows, rows, ["rows"]]);
      await session.share("rows", 7);
      expect((await run(code.take)).value).toEqual([7, 7, ["rows"]]);
    },
  },
];
