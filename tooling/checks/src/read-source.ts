import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./repository-root.js";

/** The text of a file of the clone. */
export function readSource(path: string): string {
  return readFileSync(join(repositoryRoot, path), "utf8");
}
