/** Names longer than this are compared by their beginning, so that a hostile name costs no more than an honest one. */
const maxChars = 64;

/**
 * The known names that `name` was most likely meant to be, best first; none when nothing is close. For error messages.
 * Case, `-`, `_`, `.` and blanks make no difference.
 */
export function nearestNames(name: string, known: Iterable<string>, limit = 3): string[] {
  const wanted = plain(name);
  const scored: { candidate: string; distance: number }[] = [];
  for (const candidate of known) {
    const distance = distanceBetween(wanted, plain(candidate));
    if (distance !== undefined) scored.push({ candidate, distance });
  }
  // Array.prototype.sort is stable: names equally near stay in the order in which they are known.
  scored.sort((a, b) => a.distance - b.distance);
  return scored.slice(0, limit).map(({ candidate }) => candidate);
}

/** The one name that `name` was most likely meant to be. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  return nearestNames(name, known, 1)[0];
}

function plain(name: string): string {
  return name
    .slice(0, maxChars)
    .toLowerCase()
    .replace(/[-_.\s]/g, "");
}

/** Undefined when the two are too different to be a slip of the fingers or a part of one another. */
function distanceBetween(a: string, b: string): number | undefined {
  if (a === b) return 0;
  const longer = Math.max(a.length, b.length);
  const shorter = Math.min(a.length, b.length);
  const edits = editDistance(a, b);
  if (edits <= slipsOf(longer)) return edits;
  if (shorter >= 3 && (a.includes(b) || b.includes(a))) return longer / 2 + edits / 100;
  return undefined;
}

/** How many slips still make it the same word: none up to two letters, one up to five, a third of a longer one. */
function slipsOf(length: number): number {
  return length < 3 ? 0 : Math.max(1, Math.floor(length / 3));
}

/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, before[j - 2]! + 1);
      current.push(best);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length]!;
}
