/** Gives each argument of a tool a name of its own: the plain one while it is free, then with where it goes, then numbered. */
export function createArgumentNames(): (name: string, where: string) => string {
  const used = new Set<string>();
  return (name, where) => {
    const candidates = [name, `${name}_${where}`];
    let chosen = candidates.find((candidate) => !used.has(candidate));
    for (let count = 2; chosen === undefined; count++) {
      const candidate = `${name}_${where}_${count}`;
      if (!used.has(candidate)) chosen = candidate;
    }
    used.add(chosen);
    return chosen;
  };
}
