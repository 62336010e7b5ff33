/** More files than this never fail by chance together: a second try would only cost time. */
const mostFiles = 3;

/**
 * The files of a report whose failures may be the machine's: few, each known by its file, of a run that came to its end.
 * Empty when a second try could not tell more.
 */
export function filesToTryAgain(report) {
  if (report === undefined || report.reason === "interrupted") return [];
  const failures = [...report.tests.filter(({ state }) => state === "failed"), ...report.faults];
  if (failures.some(({ file }) => file === undefined)) return [];
  const files = [...new Set(failures.map(({ file }) => file))];
  return files.length <= mostFiles ? files : [];
}

/**
 * The first report with what the second try of its failed files found: a test counts as the second try left it, and one that
 * failed before and passes now is marked as unsteady, with what it had failed with. Faults of these files are the second try's.
 */
export function withSecondTry(first, second, files) {
  if (second === undefined || second.reason === "interrupted") return first;
  const keyOf = ({ project, title }) => `${project} ${title}`;
  const again = new Map(second.tests.map((test) => [keyOf(test), test]));
  const tests = first.tests.map((test) => {
    const next = again.get(keyOf(test));
    if (next === undefined || !files.includes(test.file)) return test;
    if (test.state === "failed" && next.state === "passed") return { ...next, unsteady: test.message };
    return test.state === "passed" && next.state === "failed" ? next : test;
  });
  const steady = first.faults.filter(({ file }) => !files.includes(file));
  const unsteadyFiles = first.faults.filter((fault) => !second.faults.some(({ file }) => file === fault.file));
  return { ...first, tests, faults: [...steady, ...second.faults], unsteadyFiles };
}
