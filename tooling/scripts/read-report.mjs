import { readFileSync } from "node:fs";

/** The report that suite-reporter.mjs wrote; undefined when the runner died before. */
export function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
