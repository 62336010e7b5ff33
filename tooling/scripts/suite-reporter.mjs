import { writeFileSync } from "node:fs";

/**
 * A vitest reporter that writes what a count needs: each test's state with its package, the reason of each skip, and every
 * failure that belongs to no test (a file that doesn't load, an unhandled rejection), which the JSON reporter leaves out.
 */
export default class SuiteReporter {
  #file = process.env.ARTIFICER_SUITE_REPORT;

  onTestRunEnd(modules, unhandledErrors, reason) {
    const tests = [];
    const faults = unhandledErrors.map((error) => ({ where: "unhandled error", message: firstLine(error) }));
    for (const module of modules) {
      const project = module.project.name || "(root)";
      for (const error of moduleErrors(module))
        faults.push({ project, file: module.moduleId, where: module.relativeModuleId, message: firstLine(error) });
      for (const test of module.children.allTests()) {
        const { state, note } = test.result();
        const title = `${module.relativeModuleId} > ${test.fullName}`;
        const durationMs = test.diagnostic()?.duration ?? 0;
        const message = firstLine(test.result().errors?.[0] ?? "");
        tests.push({ project, file: module.moduleId, title, state, note, message, durationMs });
      }
    }
    writeFileSync(this.#file, JSON.stringify({ tests, faults, reason }));
  }
}

function moduleErrors(module) {
  const suites = [...module.children.allSuites()];
  return [...module.errors(), ...suites.flatMap((suite) => suite.errors())];
}

function firstLine(error) {
  return String(error?.message ?? error).split("\n", 1)[0];
}
