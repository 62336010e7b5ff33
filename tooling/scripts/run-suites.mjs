import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installedBin } from "./checks/installed-bin.mjs";
import { readReport } from "./read-report.mjs";
import { repositoryRoot } from "./repository-root.mjs";
import { runCommand } from "./run-command.mjs";
import { summarizeSuites } from "./summarize-suites.mjs";

/** Runs vitest once over the whole workspace, showing its own output, and gives the summary. `args` go to vitest. */
export async function runSuites(args) {
  const scratch = mkdtempSync(join(tmpdir(), "artificer-test-"));
  try {
    const reportFile = join(scratch, "report.json");
    const reporter = join(repositoryRoot, "tooling", "scripts", "suite-reporter.mjs");
    const command = [...installedBin("vitest"), "run", "--reporter=default", `--reporter=${reporter}`, ...args];
    const { code } = await runCommand(command, { env: { ARTIFICER_SUITE_REPORT: reportFile } });
    return summarizeSuites(readReport(reportFile), code);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
