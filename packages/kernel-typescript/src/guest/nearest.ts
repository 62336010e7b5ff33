/** The known names that a wrong one most likely meant, the best first. */
export function nearest(wrong: string, known: Iterable<string>, limit = 3): string[] {
  const lower = wrong.toLowerCase();
  const scored = Array.from(known, (name) => ({ name, distance: distance(lower, name.toLowerCase()) }));
  const most = Math.max(1, Math.floor(wrong.length / 3));
  return scored
    .filter(({ name, distance }) => distance <= most || (lower.length > 2 && name.toLowerCase().includes(lower)))
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** Edits between two words; swapping neighbours counts as one. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 8) return Number.POSITIVE_INFINITY;
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, rows[i - 2]![j - 2]! + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
