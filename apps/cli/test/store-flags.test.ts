import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { CliIo } from "../src/context.js";
import { createProgressLine, progressLine } from "../src/output/progress-line.js";
import { decisions, matcher } from "../src/store-flags.js";

describe("The names that a decision is about", () => {
  it("are whole, without their kind, or patterns, and never parts of others", () => {
    const means = matcher(["count_words", "artifacts/reports/*", "tools/a.yaml"]);
    for (const id of ["skills/count_words", "artifacts/reports/may/1.json", "tools/a.yaml"])
      expect(means(id), id).toBe(true);
    for (const id of ["skills/count_words_2", "skills/recount_words", "artifacts/other", "tools/aXyaml"])
      expect(means(id), id).toBe(false);
    expect(matcher(["*"])("skills/anything")).toBe(true);
  });

  it("decide for one side each; ours goes first", () => {
    const decide = decisions({ ours: ["a"], theirs: ["*"] });
    expect([decide("skills/a"), decide("skills/b")]).toEqual(["ours", "theirs"]);
    expect(decisions({})("skills/a")).toBeUndefined();
  });
});

describe("The bar of a transfer", () => {
  it("tells what is done by bytes where they are known, within the width", () => {
    expect(progressLine({ done: 3, total: 12, bytes: 500, totalBytes: 1000, id: "skills/a" }, 80)).toBe(
      `[${"#".repeat(12)}${" ".repeat(12)}]  3/12  500 B  skills/a`,
    );
    expect(progressLine({ done: 12, total: 12, id: "x".repeat(100) }, 40)).toHaveLength(39);
  });

  it("is drawn on a terminal alone, and wiped away at the end", () => {
    for (const isTTY of [true, false]) {
      const stderr = Object.assign(new PassThrough({ encoding: "utf8" }), { isTTY });
      const line = createProgressLine({ stderr, stdout: { columns: 60 } } as unknown as CliIo);
      line.show({ done: 1, total: 1, id: "a" });
      line.end();
      const written = String(stderr.read() ?? "");
      expect(written.includes("1/1")).toBe(isTTY);
      expect(written.endsWith("\r\x1b[K")).toBe(isTTY);
    }
  });
});
