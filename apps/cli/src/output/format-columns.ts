/** Rows as aligned columns; the last one is cut at `width` when one is given. */
export function formatColumns(rows: readonly (readonly string[])[], width?: number): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  const lines = rows.map((row) => {
    const line = row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0)));
    const text = line.join("  ").trimEnd();
    return width !== undefined && text.length > width ? `${text.slice(0, Math.max(1, width - 1))}…` : text;
  });
  return lines.map((line) => `${line}\n`).join("");
}

/** The first line of a text. */
export function firstLine(text: string): string {
  return text.trim().split(/\r?\n/, 1)[0] ?? "";
}
