import { relative } from "node:path";
import { plainNaming } from "./names/plain-naming.js";
import { walkKeys } from "./names/walk-keys.js";

/** A file or folder that no key names. */
export interface IgnoredFile {
  /** Relative to the base folder. */
  path: string;
  reason: string;
}

export async function ignoredFiles(folder: string): Promise<IgnoredFile[]> {
  const ignored: IgnoredFile[] = [];
  const onIgnored = (path: string, reason: string) => ignored.push({ path: relative(folder, path), reason });
  const keys = walkKeys(folder, { naming: plainNaming, prefix: "", exactNames: false, onIgnored });
  while (!(await keys.next()).done);
  return ignored;
}
