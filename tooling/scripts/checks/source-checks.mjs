import { installedBin } from "./installed-bin.mjs";
import { toolCheck } from "./tool-check.mjs";

/** What needs the sources alone: the types of sources and tests together, format and lint, what nothing uses. */
export async function* sourceChecks() {
  const tsc = installedBin("typescript", "tsc");
  yield await toolCheck("the types of all sources and tests", [...tsc, "-p", "tooling/tsconfig/everything.json"]);
  yield await toolCheck("format and lint", [
    ...installedBin("@biomejs/biome", "biome"),
    "check",
    "--error-on-warnings",
    ".",
  ]);
  yield await toolCheck("nothing unused: files, exports, dependencies", [...installedBin("knip"), "--no-progress"]);
}
