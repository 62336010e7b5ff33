import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installedBin } from "./checks/installed-bin.mjs";
import { readReport } from "./read-report.mjs";
import { repositoryRoot } from "./repository-root.mjs";
import { runCommand } from "./run-command.mjs";
import { filesToTryAgain, withSecondTry } from "./second-try.mjs";
import { summarizeSuites } from "./summarize-suites.mjs";

/**
 * Runs vitest over the whole workspace, showing its own output, and gives the summary. `args` go to vitest. In CI the files of
 * few failures are run once more, alone; what passes only then is named in the summary
 * (docs/decisions/second-try.md has the reason).
 */
export async function runSuites(args) {
  const scratch = mkdtempSync(join(tmpdir(), "artificer-test-"));
  try {
    const first = await run(join(scratch, "report.json"), args);
    const files = process.env.CI ? filesToTryAgain(first.report) : [];
    if (first.code === 0 || files.length === 0) return summarizeSuites(first.report, first.code);
    console.log(`\nA second try, alone:\n  ${files.join("\n  ")}`);
    const second = await run(join(scratch, "second.json"), [...files, "--maxWorkers=1"]);
    return summarizeSuites(withSecondTry(first.report, second.report, files), second.code);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function run(reportFile, args) {
  const reporter = join(repositoryRoot, "tooling", "scripts", "suite-reporter.mjs");
  const command = [...installedBin("vitest"), "run", "--reporter=default", `--reporter=${reporter}`, ...args];
  const { code } = await runCommand(command, { env: { ARTIFICER_SUITE_REPORT: reportFile } });
  return { code, report: readReport(reportFile) };
}
