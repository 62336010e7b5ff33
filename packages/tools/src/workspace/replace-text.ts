import { findLines, sameButSpaces } from "./find-lines.js";

/** What became of a replacement. `fuzzy` says that white space differed. */
export type Replacement =
  | { done: true; text: string; count: number; fuzzy: boolean }
  | { done: false; problem: "not-found" | "ambiguous"; lines: number[] };

/**
 * Replaces a passage: exactly where it stands so, else where only white space differs, with the indentation that is found
 * there. A passage that stands in several places is replaced only when all are meant.
 */
export function replaceText(text: string, { from, to, all }: { from: string; to: string; all: boolean }): Replacement {
  const feeds = text.includes("\r\n") && !from.includes("\r\n");
  const [wanted, given] = feeds ? [withReturns(from), withReturns(to)] : [from, to];
  const places = occurrences(text, wanted);
  if (places.length === 1 || (places.length > 1 && all)) {
    return { done: true, text: splice(text, places, wanted.length, () => given), count: places.length, fuzzy: false };
  }
  if (places.length > 1) return { done: false, problem: "ambiguous", lines: places.map((at) => lineAt(text, at)) };
  return replaceLines(text, { from, to, all });
}

/** In larger files only the exact passage is looked for: comparing every line by its words holds the host up. */
const maxFuzzyChars = 4_000_000;

function replaceLines(text: string, { from, to, all }: { from: string; to: string; all: boolean }): Replacement {
  if (text.length > maxFuzzyChars) return { done: false, problem: "not-found", lines: [] };
  const ending = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  const wanted = bareLines(from);
  if (wanted.every((line) => line.trim() === "")) return { done: false, problem: "not-found", lines: [] };
  const places = withoutOverlap(findLines(lines, wanted, sameButSpaces), wanted.length);
  if (places.length === 0) return { done: false, problem: "not-found", lines: [] };
  if (places.length > 1 && !all) return { done: false, problem: "ambiguous", lines: places.map((at) => at + 1) };
  const given = to === "" ? [] : bareLines(to);
  for (const at of [...places].reverse())
    lines.splice(at, wanted.length, ...indentedAlike(given, wanted, lines.slice(at, at + wanted.length)));
  return { done: true, text: lines.join(ending), count: places.length, fuzzy: true };
}

/** The new lines, moved in or out as the passage in the file is against the one that was asked for. */
function indentedAlike(given: readonly string[], wanted: readonly string[], found: readonly string[]): string[] {
  const at = wanted.findIndex((line) => line.trim() !== "");
  const [asked, real] = [indentation(wanted[at] ?? ""), indentation(found[at] ?? "")];
  if (asked === real) return [...given];
  return given.map((line) => (line.trim() !== "" && line.startsWith(asked) ? real + line.slice(asked.length) : line));
}

function indentation(line: string): string {
  return /^[ \t]*/.exec(line)![0];
}

function bareLines(text: string): string[] {
  return text.replace(/\r?\n$/, "").split(/\r?\n/);
}

function withReturns(text: string): string {
  return text.replaceAll("\n", "\r\n");
}

function occurrences(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) places.push(at);
  return places;
}

function splice(text: string, places: readonly number[], length: number, replacement: () => string): string {
  const parts: string[] = [];
  let done = 0;
  for (const at of places) {
    parts.push(text.slice(done, at), replacement());
    done = at + length;
  }
  return parts.join("") + text.slice(done);
}

function withoutOverlap(places: readonly number[], length: number): number[] {
  const kept: number[] = [];
  for (const at of places) if (kept.length === 0 || at >= kept.at(-1)! + length) kept.push(at);
  return kept;
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}
