import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/**
 * Names an installation by what is in it: the specs, whatever their order, and how they are installed. A file that a spec names
 * counts with its size and time, so that a rebuilt one is installed anew.
 */
export async function hashSpecs(specs: readonly string[], args: readonly string[]): Promise<string> {
  const rows = await Promise.all([...specs].sort().map(async (spec) => [spec, await fileMark(spec)]));
  return createHash("sha256")
    .update(JSON.stringify([rows, args]))
    .digest("hex")
    .slice(0, 20);
}

async function fileMark(spec: string): Promise<string | undefined> {
  const url = /@\s*(file:\S+)/.exec(spec)?.[1];
  if (url === undefined) return undefined;
  try {
    const { size, mtimeMs } = await stat(fileURLToPath(url));
    return `${size} ${mtimeMs}`;
  } catch {
    return undefined;
  }
}
