import { readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { findPython } from "../../src/find-python.js";

/** Every interpreter on the search path that is new enough, each once, by version. At least one must be there. */
export async function pythons(): Promise<{ version: string; path: string }[]> {
  const found = new Map<string, string>();
  for (const folder of [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"]) {
    for (const name of list(folder).filter((file) => /^python3(\.\d+)?$/.test(file))) {
      try {
        const { path, version } = await findPython({ path: join(folder, name) });
        found.set(version, path);
      } catch {
        // Too old, or a shim with nothing behind it.
      }
    }
  }
  if (found.size === 0) throw new Error("These tests need a Python of version 3.9 or newer.");
  return Array.from(found, ([version, path]) => ({ version, path }));
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
