import { fileURLToPath } from "node:url";

/**
 * The settings of every test run. Each file has a process of its own, since tests here start processes and change
 * environments; two at once, since the smallest machine has two cores; nothing is tried again unseen, since that hides a defect.
 *
 * @type {import("vitest/config").ViteUserConfig["test"]}
 */
export const preset = {
  pool: "forks",
  isolate: true,
  maxWorkers: 2,
  testTimeout: 60_000,
  // A poll ends as soon as it holds, so its bound costs nothing, and a short one fails on a busy machine alone.
  expect: { poll: { timeout: 30_000 } },
  hookTimeout: 60_000,
  teardownTimeout: 10_000,
  retry: 0,
  allowOnly: false,
  passWithNoTests: false,
  dangerouslyIgnoreUnhandledErrors: false,
  include: ["test/**/*.test.ts"],
  setupFiles: [fileURLToPath(new URL("./fail-on-warnings.mjs", import.meta.url))],
};
