import { createContext, Script } from "node:vm";
import { ArtificerError } from "@artificer/protocol";

/** The longest that a pattern may think about one file, in milliseconds: some never come to an end. */
const maxThinkingMs = 1000;
const scan = new Script("for (let at = 0; at < lines.length; at++) if (pattern.test(lines[at])) found.push(at);");

/** Gives the numbers, from 0, of the lines that a pattern matches. */
export type LineMatcher = (lines: readonly string[]) => number[];

/**
 * A matcher for a pattern of a cell. It runs on the host's own thread, and so against a clock.
 *
 * @throws ArtificerError `tool/invalid-argument` for what is no regular expression.
 */
export function createLineMatcher(pattern: string, { ignoreCase }: { ignoreCase: boolean }): LineMatcher {
  const regex = parsePattern(pattern, ignoreCase);
  return (lines) => {
    const found: number[] = [];
    try {
      scan.runInContext(createContext({ __proto__: null, lines, pattern: regex, found }), { timeout: maxThinkingMs });
    } catch (error) {
      if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      throw new ArtificerError("tool/timed-out", `The pattern takes over ${maxThinkingMs} ms on one file.`, {
        details: { pattern },
        hint: "Simplify it: nested repetitions such as (a+)+ take time without end.",
      });
    }
    return found;
  };
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
