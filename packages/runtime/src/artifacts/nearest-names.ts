/** The names most like a mistyped one, the nearest first; none when nothing is near. */
export function nearestNames(wanted: string, names: readonly string[], count = 3): string[] {
  const target = wanted.toLowerCase();
  return names
    .map((name) => ({ name, distance: distanceOf(target, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(2, target.length * 0.4))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}

/** Edits between the two; a name that only lacks the folder or extension of the other is near. */
function distanceOf(target: string, name: string): number {
  const last = name.slice(name.lastIndexOf("/") + 1);
  const stem = last.replace(/\.[^.]*$/, "");
  const own = target.slice(target.lastIndexOf("/") + 1);
  if (own === last || own === stem || own.replace(/\.[^.]*$/, "") === stem) return 1;
  return Math.min(edits(target, name), edits(target, last) + 1, edits(target, stem) + 1);
}

function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
