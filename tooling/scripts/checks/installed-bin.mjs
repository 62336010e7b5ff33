import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../repository-root.mjs";

/** The words that start a development tool of the root, without a shell or a package manager in between. */
export function installedBin(name, bin = name) {
  const folder = join(repositoryRoot, "node_modules", name);
  const { bin: bins } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = typeof bins === "string" ? bins : bins[bin];
  return [process.execPath, join(folder, file)];
}
