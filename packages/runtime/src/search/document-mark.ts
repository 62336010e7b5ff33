import type { EmbedOptions } from "@artificer/protocol";
import { vectorKey } from "./vector-segment.js";

/** What a text's vector is known by where it is stored: texts of both roles have others. */
export function textMark(role: NonNullable<EmbedOptions["role"]>, text: string): string {
  return vectorKey(`${role}\n${text}`);
}

/** What a document's vector is known by. */
export function documentMark(text: string): string {
  return textMark("document", text);
}
