import { expect, it } from "vitest";
import { measureRow, percentile } from "../src/measure-row.js";
import { renderTable } from "../src/render-table.js";
import type { Measured, Row } from "../src/row.js";

const bench = { python: "python3" };

function rowOf(calls: string[], sides: Partial<Measured> = {}): Row {
  const side = (name: string) => async () => {
    calls.push(name);
    return undefined;
  };
  const close = async () => {
    calls.push("close");
  };
  return {
    name: "a row",
    limit: "nothing",
    operations: 10,
    warmUps: 1,
    samples: 2,
    budget: "none",
    open: async () => ({ ours: side("ours"), bare: side("bare"), close, ...sides }),
  };
}

it("takes the samples of both sides in turns, warm-ups first, and closes at the end", async () => {
  const calls: string[] = [];
  const result = await measureRow(rowOf(calls), bench);
  expect(calls).toEqual(["ours", "bare", "ours", "bare", "ours", "bare", "close"]);
  expect(result.ratio).toBeCloseTo(result.oursP50Ms / result.bareP50Ms);
  expect(result.perSecond).toBeCloseTo(1000 / result.oursP50Ms);
});

it("gives no time for a wrong answer, and closes all the same", async () => {
  const calls: string[] = [];
  const wrong = async () => () => {
    throw new Error("wrong answer");
  };
  await expect(measureRow(rowOf(calls, { ours: wrong }), bench)).rejects.toThrow("wrong answer");
  expect(calls).toEqual(["close"]);
});

it("takes the smallest value that so many percent don't exceed", () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(percentile(values, 50)).toBe(50);
  expect(percentile(values, 95)).toBe(95);
  expect(percentile([7], 95)).toBe(7);
  expect(() => percentile([], 50)).toThrow(RangeError);
});

it("lays the table out so that each column is as wide as its widest cell", async () => {
  const lines = renderTable([await measureRow(rowOf([]), bench)]).split("\n");
  expect(lines).toHaveLength(3);
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  expect(lines[2]).toContain("a row");
});
