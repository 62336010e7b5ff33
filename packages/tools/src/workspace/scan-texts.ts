import { createContext, Script } from "node:vm";
import { ArtificerError } from "@artificer/protocol";

const scan = new Script("for (let at = 0; at < texts.length; at++) if (regex.test(texts[at])) found.push(at);");

/**
 * The numbers, from 0, of the texts that a pattern matches. It runs on the host's own thread, and so against a clock: some
 * patterns never come to an end.
 *
 * @throws ArtificerError `tool/timed-out`
 */
export function scanTexts(
  regex: RegExp,
  texts: readonly string[],
  { maxThinkingMs, pattern }: { maxThinkingMs: number; pattern: string },
): number[] {
  const found: number[] = [];
  try {
    scan.runInContext(createContext({ __proto__: null, texts, regex, found }), { timeout: maxThinkingMs });
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new ArtificerError("tool/timed-out", `The pattern takes over ${maxThinkingMs} ms on one file.`, {
      details: { pattern },
      hint: "Simplify it: nested or many repetitions such as (a+)+ take time without end.",
    });
  }
  return found;
}
