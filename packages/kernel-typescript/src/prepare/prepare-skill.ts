import { findEntry } from "../analyze/entry-function.js";
import { entryParameters } from "../analyze/entry-parameters.js";
import { joinPrepared } from "./cell-header.js";
import { parseSource } from "./parse-source.js";
import { prepareSource } from "./prepare-source.js";

/**
 * Turns a TypeScript skill into the plain JavaScript that a TypeScript kernel runs: what `skills.load` answers as the source.
 * A source that does not parse is prepared too; the kernel then tells its syntax error when the skill is invoked.
 */
export function prepareSkill(source: string): string {
  const { header, body } = prepareSource(source, "skill");
  const parsed = parseSource(source);
  const entry = findEntry(parsed.body, "run");
  if (entry !== undefined) header.call = entryParameters(entry.function, parsed.body, source).call;
  return joinPrepared(header, body);
}
