/** The names most like `wanted`, best first: those within a third of its letters, or that contain it or are contained in it. */
export function nearestNames(wanted: string, names: readonly string[], limit = 3): string[] {
  const lower = wanted.toLowerCase();
  return names
    .map((name) => ({ name, distance: distanceTo(lower, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(2, wanted.length / 3))
    .sort((left, right) => left.distance - right.distance || (left.name < right.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

function distanceTo(wanted: string, name: string): number {
  if (wanted.length > 2 && name.length > 2 && (name.includes(wanted) || wanted.includes(name))) return 1;
  return editDistance(wanted, name);
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const substitution = previous[column - 1]! + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(previous[column]! + 1, current[column - 1]! + 1, substitution));
    }
    previous = current;
  }
  return previous[right.length]!;
}
