import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ContentMatches, type ContentSearch, type LineMatch, maxMatches, shownLine } from "./content-search.js";
import { createLineMatcher } from "./line-matcher.js";
import { decodeText, isBinary } from "./text-file.js";
import { walkFiles } from "./walk-files.js";

/** Searches by reading every file; for where ripgrep is not. */
export async function searchByReading(search: ContentSearch): Promise<ContentMatches> {
  const { folder, start, signal } = search;
  const pattern = search.literal ? search.pattern.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") : search.pattern;
  const match = createLineMatcher(pattern, { ignoreCase: search.ignoreCase });
  const matches: LineMatch[] = [];
  for await (const path of candidates(search)) {
    signal.throwIfAborted();
    const text = await readText(join(folder, path), search.maxFileBytes);
    if (text === undefined) continue;
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    for (const at of match(lines.map((line) => line.replace(/\r$/, "")))) {
      const around = (from: number, to: number) => lines.slice(Math.max(0, from), to).map(shownLine);
      matches.push({
        path,
        line: at + 1,
        content: shownLine(lines[at]!),
        before: around(at - search.context, at),
        after: around(at + 1, at + 1 + search.context),
      });
      if (matches.length >= maxMatches) return { matches, complete: false };
    }
  }
  return { matches, complete: true };

  async function* candidates({ matches: wanted, rules, hidden }: ContentSearch): AsyncGenerator<string> {
    const stats = await lstat(join(folder, start)).catch(() => undefined);
    if (stats?.isFile()) yield start;
    if (!stats?.isDirectory()) return;
    for await (const { path, entry } of walkFiles(folder, start, { rules, hidden, signal })) {
      if (entry.isFile() && wanted(path)) yield path;
    }
  }
}

async function readText(file: string, maxBytes: number): Promise<string | undefined> {
  try {
    // Nothing but regular files: a pipe would be waited for.
    const stats = await lstat(file);
    if (!stats.isFile() || stats.size > maxBytes) return undefined;
    const bytes = await readFile(file);
    return isBinary(bytes) ? undefined : decodeText(bytes).text;
  } catch {
    return undefined;
  }
}
