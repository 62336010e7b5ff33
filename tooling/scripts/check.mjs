// `pnpm check`: what is true of the repository besides its tests. `--without-suites` leaves out the checks that `npm test` runs too.
import { packedChecks } from "./checks/packed-checks.mjs";
import { sourceChecks } from "./checks/source-checks.mjs";
import { countsLine } from "./counts-line.mjs";
import { prepareWorkspace } from "./prepare-workspace.mjs";
import { runSuites } from "./run-suites.mjs";

const counts = { passed: 0, failed: 0 };
try {
  await prepareWorkspace();
  for (const checks of [sourceChecks, packedChecks]) for await (const check of checks()) note(check);
  if (!process.argv.includes("--without-suites")) {
    const { total } = await runSuites(["--project", "@artificer/checks"]);
    counts.passed += total.passed;
    counts.failed += total.failed;
  }
} catch (error) {
  note({ title: "the checks ran to their end", passed: false, output: error.stack });
}
console.log(countsLine(counts));
process.exitCode = counts.failed === 0 ? 0 : 1;

function note({ title, passed, output }) {
  counts[passed ? "passed" : "failed"] += 1;
  console.log(`${passed ? "passed" : "FAILED"}  ${title}`);
  if (!passed) console.log(output.trimEnd().replace(/^/gm, "    "));
}
