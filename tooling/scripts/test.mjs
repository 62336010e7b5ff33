// `npm test`: from a fresh clone to one line of counts. Needs Node and npm alone; arguments go to vitest (a file, a --project).
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countsLine } from "./counts-line.mjs";
import { prepareWorkspace } from "./prepare-workspace.mjs";
import { readReport } from "./read-report.mjs";
import { repositoryRoot } from "./repository-root.mjs";
import { runCommand } from "./run-command.mjs";
import { summarizeSuites } from "./summarize-suites.mjs";

const scratch = mkdtempSync(join(tmpdir(), "artificer-test-"));
try {
  await prepareWorkspace();
  print(await runSuites(process.argv.slice(2)));
} catch (error) {
  console.error(error.message);
  console.log(countsLine({ passed: 0, failed: 1 }));
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function runSuites(args) {
  const reportFile = join(scratch, "report.json");
  const vitest = join(repositoryRoot, "node_modules", "vitest", "vitest.mjs");
  const reporter = join(repositoryRoot, "tooling", "scripts", "suite-reporter.mjs");
  const command = [process.execPath, vitest, "run", "--reporter=default", `--reporter=${reporter}`, ...args];
  const { code } = await runCommand(command, { env: { ARTIFICER_SUITE_REPORT: reportFile } });
  return summarizeSuites(readReport(reportFile), code);
}

function print({ projects, problems, skips, total }) {
  console.log("\nSuites");
  for (const [name, counts] of [...projects].sort()) {
    console.log(`  ${name.padEnd(28)} ${countsLine(counts)}  (${(counts.durationMs / 1000).toFixed(1)} s in tests)`);
  }
  if (skips.length > 0) console.log(`\nSkipped\n  ${skips.join("\n  ")}`);
  if (problems.length > 0) console.log(`\nFailed\n  ${problems.join("\n  ")}`);
  console.log(`\n${countsLine(total)}`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}
