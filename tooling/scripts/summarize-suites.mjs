/**
 * Adds up a suite report (see suite-reporter.mjs) and the runner's exit code. A test that neither passed nor says why it was
 * skipped counts as failed, and so does a runner that failed without a failing test to show for it.
 */
export function summarizeSuites(report, exitCode) {
  const projects = new Map();
  const of = (name) => {
    if (!projects.has(name)) projects.set(name, { passed: 0, failed: 0, skipped: 0, durationMs: 0 });
    return projects.get(name);
  };
  const problems = [];
  const skips = [];
  const unsteady = (report?.unsteadyFiles ?? []).map(
    ({ project, where, message }) => `${project}  ${where}\n    at first: ${message}`,
  );
  for (const test of report?.tests ?? []) {
    const counts = of(test.project);
    counts.durationMs += test.durationMs;
    if (test.unsteady !== undefined) unsteady.push(`${test.project}  ${test.title}\n    at first: ${test.unsteady}`);
    if (test.state === "passed") counts.passed += 1;
    else if (test.state === "skipped" && test.note) {
      counts.skipped += 1;
      skips.push(`${test.project}  ${test.title}\n    because: ${test.note}`);
    } else {
      counts.failed += 1;
      problems.push(
        `${test.project}  ${test.title}${test.state === "skipped" ? "\n    skipped without a reason" : ""}`,
      );
    }
  }
  for (const fault of report?.faults ?? []) {
    of(fault.project ?? "(runner)").failed += 1;
    problems.push(`${fault.project ?? "(runner)"}  ${fault.where}: ${fault.message}`);
  }
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const counts of projects.values()) for (const key of Object.keys(total)) total[key] += counts[key];
  const crash = crashOf(report, exitCode, total.failed);
  if (crash !== undefined) {
    total.failed += 1;
    problems.push(`(runner)  ${crash}`);
  }
  return { projects, problems, skips, unsteady, total };
}

function crashOf(report, exitCode, failed) {
  if (report === undefined) return `the test runner ended with ${exitCode} and left no report`;
  if (report.reason === "interrupted") return "the test runner was interrupted before its end";
  if (report.tests.length === 0) return "no test was found";
  if (exitCode !== 0 && failed === 0) return `the test runner ended with ${exitCode} though no test failed`;
  return undefined;
}
