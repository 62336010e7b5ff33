import { ArtificerError } from "@artificer/protocol";
import { scanTexts } from "./scan-texts.js";

/** The longest that a pattern may think about one file, in milliseconds. */
const maxThinkingMs = 1000;

/** Gives the numbers, from 0, of the lines that a pattern matches. */
export type LineMatcher = (lines: readonly string[]) => number[];

/**
 * A matcher for a pattern of a cell.
 *
 * @throws ArtificerError `tool/invalid-argument` for what is no regular expression.
 */
export function createLineMatcher(pattern: string, { ignoreCase }: { ignoreCase: boolean }): LineMatcher {
  const regex = parsePattern(pattern, ignoreCase);
  return (lines) => scanTexts(regex, lines, { maxThinkingMs, pattern });
}

function parsePattern(pattern: string, ignoreCase: boolean): RegExp {
  // Written in front by those who think of other engines.
  const [, inline = "", body = pattern] = /^\(\?([ims]+)\)([\s\S]*)$/.exec(pattern) ?? [];
  const flags = [...new Set(inline + (ignoreCase ? "i" : ""))].join("");
  for (const each of [`${flags}u`, flags]) {
    try {
      return new RegExp(body, each);
    } catch {
      // The strict reading refuses escapes that the older one takes.
    }
  }
  throw invalidPattern(pattern, "it is no regular expression");
}

/** What a pattern that can't be read is answered with. */
export function invalidPattern(pattern: string, reason: string): ArtificerError {
  return new ArtificerError(
    "tool/invalid-argument",
    `The pattern ${JSON.stringify(pattern)} can't be used: ${reason}.`,
    {
      details: { argument: "pattern", pattern, reason },
      hint: "Put a backslash before what is meant literally, or pass literal=True.",
    },
  );
}
