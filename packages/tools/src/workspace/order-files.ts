import { lstat } from "node:fs/promises";
import { join } from "node:path";

/** How results of a search follow one another; files of the same rank by their path. */
export type FileOrder = "discovery" | "path" | "modified";

type ComparePaths = (a: { path: string }, b: { path: string }) => number;

/** The same for every run over the same files, so that pages fit together. */
export async function orderFiles(
  found: readonly { path: string }[],
  { order, folder }: { order: FileOrder; folder: string },
): Promise<ComparePaths> {
  if (order === "path") return byText;
  if (order === "discovery") return byFolder;
  const changedMs = new Map<string, number>();
  for (const path of new Set(found.map((match) => match.path))) {
    const stats = await lstat(join(folder, path)).catch(() => undefined);
    changedMs.set(path, stats?.mtimeMs ?? 0);
  }
  return (a, b) => changedMs.get(b.path)! - changedMs.get(a.path)! || byText(a, b);
}

function byText(a: { path: string }, b: { path: string }): number {
  return a.path === b.path ? 0 : a.path < b.path ? -1 : 1;
}

/** As a walk meets them: what is in a folder comes before what sorts after the folder's name. */
function byFolder(a: { path: string }, b: { path: string }): number {
  const [left, right] = [a.path.split("/"), b.path.split("/")];
  const at = left.findIndex((name, index) => name !== right[index]);
  if (at < 0) return left.length - right.length;
  const other = right[at];
  return other === undefined || left[at]! > other ? 1 : -1;
}
