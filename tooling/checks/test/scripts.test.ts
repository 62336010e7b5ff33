import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { workspaceProjects } from "@artificer/vitest-preset";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repositoryRoot } from "../src/repository-root.js";

const scripts = join(repositoryRoot, "tooling", "scripts");
const { countsLine } = await import(join(scripts, "counts-line.mjs"));
const { readReport } = await import(join(scripts, "read-report.mjs"));
const { filesToTryAgain, withSecondTry } = await import(join(scripts, "second-try.mjs"));
const { summarizeSuites } = await import(join(scripts, "summarize-suites.mjs"));
const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");

let folder: string;
beforeAll(() => {
  // Inside the package, so that the tests written here find vitest.
  const parent = join(repositoryRoot, "node_modules", ".cache");
  mkdirSync(parent, { recursive: true });
  folder = mkdtempSync(join(parent, "artificer-counts-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the counting of `npm test`", () => {
  it("counts passes, failures, files that don't load, unhandled rejections and skips with and without a reason", () => {
    const { total, problems, skips } = runSuites("mixed", {
      "good.test.mjs": "it('holds', () => {}); it('waits', (context) => context.skip(true, 'no such machine'));",
      "bad.test.mjs": "it('breaks', () => { throw new Error('broken'); }); it['skip']('hides', () => {});",
      "unloadable.test.mjs": "await import('./absent.mjs');",
      "leaky.test.mjs":
        "it('leaks', async () => { Promise.reject(new Error('leaked')); await new Promise(setImmediate); });",
    });
    expect(total).toEqual({ passed: 2, failed: 4, skipped: 1 });
    expect(skips).toEqual([expect.stringContaining("no such machine")]);
    expect([...problems].sort()).toEqual([
      expect.stringContaining("breaks"),
      expect.stringMatching(/hides\n.*without a reason/),
      expect.stringContaining("unloadable.test.mjs"),
      expect.stringContaining("leaked"),
    ]);
  });

  it("counts a runner that dies as one failure", () => {
    const { total, problems } = runSuites("dead", { "vitest.config.mjs": "process.exit(3);" });
    expect(total).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(problems).toEqual([expect.stringContaining("ended with 3 and left no report")]);
  });

  it("counts a run that found no test as a failure", () => {
    const report = { tests: [], faults: [], reason: "passed" };
    expect(summarizeSuites(report, 0).total).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it("tries few failed files again, counts what the second try says, and names what passed only then", () => {
    const test = (file: string, title: string, state: string) => ({
      project: "p",
      file,
      title,
      state,
      message: `${title} broke`,
    });
    const first = {
      reason: "failed",
      tests: [test("/a", "by chance", "failed"), test("/a", "really", "failed"), test("/b", "holds", "passed")],
      faults: [{ project: "p", file: "/c", where: "c", message: "a warning" }],
    };
    const files = filesToTryAgain(first);
    expect(files).toEqual(["/a", "/c"]);
    const second = {
      reason: "failed",
      tests: [test("/a", "by chance", "passed"), test("/a", "really", "failed")],
      faults: [],
    };
    const { total, problems, unsteady } = summarizeSuites(withSecondTry(first, second, files), 1);
    expect(total).toEqual({ passed: 2, failed: 1, skipped: 0 });
    expect(problems).toEqual([expect.stringContaining("really")]);
    expect(unsteady).toEqual([
      expect.stringContaining("a warning"),
      expect.stringMatching(/by chance\n.*by chance broke/),
    ]);
  });

  it("tries nothing again when many files failed, when a failure has no file, or when the second try was cut off", () => {
    const failed = (file?: string) => ({ project: "p", file, title: "t", state: "failed" });
    const report = (tests: object[], faults: object[] = []) => ({ reason: "failed", tests, faults });
    expect(filesToTryAgain(report(["/a", "/b", "/c", "/d"].map(failed)))).toEqual([]);
    expect(filesToTryAgain(report([failed("/a")], [{ where: "unhandled error", message: "leaked" }]))).toEqual([]);
    expect(filesToTryAgain(undefined)).toEqual([]);
    const first = report([failed("/a")]);
    expect(withSecondTry(first, undefined, ["/a"])).toBe(first);
  });

  it("ends in one line of counts", () => {
    expect(countsLine({ passed: 3, failed: 0 })).toBe("3 passed, 0 failed");
    expect(countsLine({ passed: 3, failed: 1, skipped: 2 })).toBe("3 passed, 1 failed, 2 skipped");
  });
});

describe("the projects of a test run", () => {
  it("are all packages with tests from the root, and one alone inside it", () => {
    const names = (from: string) => workspaceProjects(repositoryRoot, from).map(({ test }) => test?.name);
    expect(names(repositoryRoot)).toContain("@artificer/checks");
    expect(names(join(repositoryRoot, "tooling", "checks"))).toEqual(["@artificer/checks"]);
    expect(() => names(join(repositoryRoot, "docs"))).toThrow("no tests for");
  });
});

describe("the settings of every test run", () => {
  it("fail a file whose tests make Node warn", () => {
    const setup = JSON.stringify(join(repositoryRoot, "tooling", "vitest-preset", "src", "fail-on-warnings.mjs"));
    const { total, problems } = runSuites("warns", {
      "vitest.config.mjs": `export default { test: { setupFiles: [${setup}] } };`,
      "warns.test.mjs": "it('warns', () => process.emitWarning('a leak'));",
      "quiet.test.mjs": "it('is quiet', () => {});",
    });
    expect(total).toEqual({ passed: 2, failed: 1, skipped: 0 });
    expect(problems).toEqual([expect.stringContaining("a leak")]);
  });
});

function runSuites(name: string, files: Record<string, string>) {
  const root = join(folder, name);
  mkdirSync(root);
  // Always a configuration of its own: without one vitest would take the repository's and run this very file again.
  for (const [file, source] of Object.entries({ "vitest.config.mjs": "export default {};", ...files })) {
    writeFileSync(join(root, file), `${file.endsWith(".test.mjs") ? "import { it } from 'vitest';\n" : ""}${source}\n`);
  }
  const report = join(root, "report.json");
  const args = ["run", "--root", root, "--config", join(root, "vitest.config.mjs")];
  const { status } = spawnSync(
    process.execPath,
    [vitest, ...args, `--reporter=${join(scripts, "suite-reporter.mjs")}`],
    {
      env: { ...process.env, ARTIFICER_SUITE_REPORT: report, VITEST: undefined, NODE_ENV: undefined },
      timeout: 45_000,
      killSignal: "SIGKILL",
    },
  );
  return summarizeSuites(readReport(report), status ?? 1);
}
