import { expect } from "vitest";
import type { ExecutorCase } from "./executor-case.js";

/** What becomes of output. */
export const outputCases: readonly ExecutorCase[] = [
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
    needsProcess: (code) => [code.childOutput],
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
    async run({ run, code, release }) {
      // What was written has to reach the host before the next cell begins, and nobody tells when: tried with more and more time for it.
      for (let waitMs = 50; ; waitMs *= 2) {
        expect(await run(code.lateOutput)).toMatchObject({ status: "completed", value: "done", stdout: "" });
        await release();
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        const next = await run(code.value);
        if (next.stdout === "too late\n") continue;
        expect(next.stdout).toBe("");
        expect(next.background.map(({ text }) => text).join("")).toContain("too late");
        expect(next.toText()).toContain("too late");
        return;
      }
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
];
