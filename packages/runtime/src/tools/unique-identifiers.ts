/** How the names of one scope become identifiers. */
export interface IdentifierRules {
  /** The identifier wished for, before collisions are looked at. */
  wish(name: string): string;
  /** Names that get a `_` behind them. */
  reserved: readonly ReadonlySet<string>[];
}

/**
 * Gives each name of one scope an identifier of its own. A name that is already a good identifier keeps it, whatever stands
 * before it; the others follow in order, and what is taken gets `_2`, `_3` and so on. Same names in, same identifiers out.
 */
export function uniqueIdentifiers(names: readonly string[], rules: IdentifierRules): string[] {
  const wishes = names.map((name) => escapeReserved(rules.wish(name), rules.reserved));
  const taken = new Set<string>();
  const result = new Array<string>(names.length);
  for (const [index, wish] of wishes.entries()) {
    if (wish !== names[index] || taken.has(wish)) continue;
    taken.add(wish);
    result[index] = wish;
  }
  for (const [index, wish] of wishes.entries()) {
    if (result[index] !== undefined) continue;
    let identifier = wish;
    for (let count = 2; taken.has(identifier); count++) identifier = `${wish}_${count}`;
    taken.add(identifier);
    result[index] = identifier;
  }
  return result;
}

function escapeReserved(identifier: string, reserved: readonly ReadonlySet<string>[]): string {
  return reserved.some((set) => set.has(identifier)) ? `${identifier}_` : identifier;
}
