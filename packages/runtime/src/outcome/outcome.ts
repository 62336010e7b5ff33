import type { JsonObject, OutcomeData } from "@artificer/protocol";
import { outcomeToJson } from "./outcome-to-json.js";
import { type OutcomeTextOptions, outcomeToText } from "./outcome-to-text.js";

/** What running a cell gives, with its two renderings. */
export interface Outcome extends OutcomeData {
  /** What a model should read of it, and no more. */
  toText(options?: OutcomeTextOptions): string;
  /** The whole of it as plain JSON. `JSON.stringify` uses it. */
  toJSON(): JsonObject;
}

/** Adds the renderings to the data. They are not enumerable: an outcome is a value. */
export function createOutcome(data: OutcomeData): Outcome {
  Object.defineProperty(data, "toText", { value: (options?: OutcomeTextOptions) => outcomeToText(data, options) });
  return Object.defineProperty(data, "toJSON", { value: () => outcomeToJson(data) }) as Outcome;
}
