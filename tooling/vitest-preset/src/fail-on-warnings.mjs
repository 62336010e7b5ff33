import { afterAll } from "vitest";

/** Warnings of Node that no test can avoid, by code or name. Empty on purpose: each entry needs its reason. */
const unavoidable = new Set([]);

const warnings = [];

process.on("warning", (warning) => {
  if (!unavoidable.has(warning.code) && !unavoidable.has(warning.name)) warnings.push(warning);
});

// A leaked listener or a deprecated call is a defect that no assertion looks for.
afterAll(async () => {
  await new Promise(setImmediate); // warnings are emitted on the next tick
  if (warnings.length === 0) return;
  const [first] = warnings;
  throw new Error(`this file's tests made Node warn (${warnings.length} in all). The first: ${first.stack ?? first}`);
});
