import { type CellRunResult, cellRunResult } from "./kernel-methods.js";

/**
 * Reads the answer to `cell.run`. The schema is what decides: a plain answer is recognized by a look at its members, which gives
 * what the schema would give; all else, and so every wrong one, goes through the schema.
 *
 * @throws ZodError
 */
export function readCellResult(answer: unknown): CellRunResult {
  return plainResult(answer) ?? cellRunResult.parse(answer);
}

/** What a cell that ran to its end, or was told to end, usually has. */
const plainMembers = new Set(["status", "hasValue", "value", "repr", "unawaited", "names", "marker"]);

function plainResult(answer: unknown): CellRunResult | undefined {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return undefined;
  for (const member of Object.keys(answer)) if (!plainMembers.has(member)) return undefined;
  const { status, hasValue, repr, unawaited, names, marker } = answer as Partial<CellRunResult>;
  if (status !== "completed" || typeof hasValue !== "boolean") return undefined;
  if (!isOptionalText(repr) || !isOptionalText(marker) || !areTexts(unawaited) || !areTexts(names)) return undefined;
  return answer as CellRunResult;
}

function isOptionalText(text: unknown): boolean {
  return text === undefined || typeof text === "string";
}

function areTexts(texts: unknown): boolean {
  return Array.isArray(texts) && texts.every((text) => typeof text === "string");
}
