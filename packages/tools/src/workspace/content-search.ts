import type { IgnoreRules } from "./ignore-rules.js";

/** What is looked for in files, and where. */
export interface ContentSearch {
  pattern: string;
  literal: boolean;
  ignoreCase: boolean;
  /** The workspace's root, links followed. */
  folder: string;
  /** Relative to it: a folder, or one file. */
  start: string;
  fileGlob: string | undefined;
  matches: (path: string) => boolean;
  rules: IgnoreRules;
  hidden: boolean;
  context: number;
  maxFileBytes: number;
  signal: AbortSignal;
}

/** A line that matched. */
export interface LineMatch {
  path: string;
  /** From 1. */
  line: number;
  content: string;
  before: string[];
  after: string[];
}

/** All that was found, and whether the search had to stop before its end. */
export interface ContentMatches {
  matches: LineMatch[];
  complete: boolean;
}

/** More matches than these are not gathered. */
export const maxMatches = 20_000;
const maxLineChars = 2000;

/** A line as results show it: without its end, and not endless. */
export function shownLine(line: string): string {
  const bare = line.replace(/\r?\n?$/, "");
  return bare.length > maxLineChars ? `${bare.slice(0, maxLineChars)}…` : bare;
}
