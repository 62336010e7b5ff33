import { findLines, type SameLine, same, sameButEnd, sameButSpaces } from "./find-lines.js";

/** One change within a file: what stands there, and what is to stand there. */
export interface PatchHunk {
  /** Lines that come before it, such as the function it is in. */
  anchors: string[];
  before: string[];
  after: string[];
  atEnd: boolean;
}

/** What became of a file's hunks. */
export type HunksResult = { done: true; text: string; fuzzy: boolean } | { done: false; hunk: number; wanted: string };

const ways: readonly SameLine[] = [same, sameButEnd, sameButSpaces];

/** Applies hunks by what stands around them: in their order, exactly where that is possible, else with other white space. */
export function applyHunks(text: string, hunks: readonly PatchHunk[]): HunksResult {
  const ending = text.includes("\r\n") ? "\r\n" : "\n";
  const closed = text === "" || text.endsWith("\n");
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  if (text === "") lines.pop();
  let cursor = 0;
  let fuzzy = false;
  for (const [index, { anchors, before, after, atEnd }] of hunks.entries()) {
    let from = cursor;
    for (const anchor of anchors) {
      const found = find(lines, [anchor], from) ?? find(lines, [anchor], 0);
      if (found === undefined) return { done: false, hunk: index + 1, wanted: anchor };
      from = found.at + 1;
    }
    // Additions alone go behind their anchor, or to the end.
    const place =
      before.length === 0
        ? { at: anchors.length > 0 && !atEnd ? from : lines.length, exact: true }
        : atEnd
          ? (find(lines, before, Math.max(from, lines.length - before.length)) ?? find(lines, before, from))
          : (find(lines, before, from) ?? find(lines, before, 0));
    if (place === undefined) return { done: false, hunk: index + 1, wanted: before.join("\n") };
    lines.splice(place.at, before.length, ...after);
    cursor = place.at + after.length;
    fuzzy ||= !place.exact;
  }
  const body = lines.join(ending);
  return { done: true, text: body !== "" && closed ? body + ending : body, fuzzy };
}

/** In files with more lines only the exact ones are looked for: comparing by words holds the host up. */
const maxFuzzyLines = 100_000;

function find(lines: readonly string[], wanted: readonly string[], from: number) {
  for (const way of lines.length > maxFuzzyLines ? [same] : ways) {
    const [at] = findLines(lines, wanted, way, from);
    if (at !== undefined) return { at, exact: way === same };
  }
  return undefined;
}
