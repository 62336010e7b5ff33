import type { TextDifference } from "artificer/store";

/** Control characters, and those that turn the direction of writing: what another wrote must not steer a terminal, nor look like something else. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}]/gu;

/** A difference as people read it: one patch, or where both changed the two from what they had in common. */
export function differenceText(id: string, { patch, threeWay, note }: TextDifference): string {
  const remark = note === undefined ? "" : `${id}: ${note}\n`;
  const shown = threeWay === undefined ? (patch ?? "") : `${threeWay.here}${threeWay.there}`;
  return `${remark}${shown}`.replace(unseen, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}
