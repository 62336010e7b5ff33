/** Whether two lines count as the same. */
export type SameLine = (a: string, b: string) => boolean;

export const same: SameLine = (a, b) => a === b;
export const sameButEnd: SameLine = (a, b) => a.trimEnd() === b.trimEnd();
export const sameButSpaces: SameLine = (a, b) => squeezed(a) === squeezed(b);

/** Every place, from 0, where the lines stand one after another. */
export function findLines(lines: readonly string[], wanted: readonly string[], alike: SameLine, from = 0): number[] {
  const places: number[] = [];
  for (let at = from; at + wanted.length <= lines.length; at++) {
    if (wanted.every((line, index) => alike(lines[at + index]!, line))) places.push(at);
  }
  return places;
}

function squeezed(line: string): string {
  return line.trim().replace(/\s+/g, " ");
}
