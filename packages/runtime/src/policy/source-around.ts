const around = 5;
const maxChars = 4_000;

/** The part of a cell that a call stands in, and its line: as the kernel says it, else where the tool's name is first called. */
export function sourceAround(
  code: string,
  { line, name }: { line: number | undefined; name: string },
): { code: string; line?: number } {
  const lines = code.split("\n");
  const found = lines.findIndex((text) => text.includes(`${name}(`)) + 1;
  const told = line !== undefined && line >= 1 && line <= lines.length ? line : found === 0 ? undefined : found;
  const part =
    told === undefined ? lines.slice(0, 2 * around) : lines.slice(Math.max(0, told - 1 - around), told + around);
  return { code: part.join("\n").slice(0, maxChars), ...(told === undefined ? {} : { line: told }) };
}
