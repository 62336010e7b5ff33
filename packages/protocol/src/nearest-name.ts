/**
 * The candidate that a mistyped name most likely meant, or undefined when none is near.
 * Nearness is the edit distance with transpositions, at most a third of the name's length.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const known = candidate.toLowerCase();
    if (Math.abs(known.length - wanted.length) >= bestDistance && !(wanted.length > 2 && known.includes(wanted)))
      continue;
    const distance = wanted.length > 2 && known.includes(wanted) ? 1 : editDistance(wanted, known);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Optimal string alignment distance: insertions, deletions, substitutions, neighbours swapped. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let distance = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        distance = Math.min(distance, before[j - 2]! + 1);
      row.push(distance);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length]!;
}
