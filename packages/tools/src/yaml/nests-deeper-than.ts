/**
 * True when lists and objects stand in one another more than `levels` deep. What walks a value level by level, as most code does, would run
 * out of stack on a value that is nested for that purpose. A value that holds itself counts as too deep.
 */
export function nestsDeeperThan(value: unknown, levels: number): boolean {
  // Level by level, each object once: aliases make the same one appear in many places.
  let level: object[] = typeof value === "object" && value !== null ? [value] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > levels) return true;
    const next = new Set<object>();
    for (const each of level)
      for (const inner of Object.values(each)) if (typeof inner === "object" && inner !== null) next.add(inner);
    level = [...next];
  }
  return false;
}
