// `npm test`: from a fresh clone to one line of counts. Needs Node and npm alone; arguments go to vitest (a file, a --project).
import { countsLine } from "./counts-line.mjs";
import { prepareWorkspace } from "./prepare-workspace.mjs";
import { runSuites } from "./run-suites.mjs";

try {
  await prepareWorkspace();
  print(await runSuites(process.argv.slice(2)));
} catch (error) {
  console.error(error.message);
  console.log(countsLine({ passed: 0, failed: 1 }));
  process.exitCode = 1;
}

function print({ projects, problems, skips, unsteady, total }) {
  console.log("\nSuites");
  for (const [name, counts] of [...projects].sort()) {
    console.log(`  ${name.padEnd(28)} ${countsLine(counts)}  (${(counts.durationMs / 1000).toFixed(1)} s in tests)`);
  }
  if (skips.length > 0) console.log(`\nSkipped\n  ${skips.join("\n  ")}`);
  if (unsteady.length > 0) console.log(`\nPassed at the second try only, alone\n  ${unsteady.join("\n  ")}`);
  if (problems.length > 0) console.log(`\nFailed\n  ${problems.join("\n  ")}`);
  console.log(`\n${countsLine(total)}`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}
