/** A skill as it is saved here. */
export interface MendedSkill {
  name: string;
  text: string;
  notes: string[];
}

/**
 * Gives a skill of py-code-mode a name that can be one here, and front matter with what it is described by: what was said beside
 * it, else the first line of the module's or the function's documentation. The code stays as it is.
 */
export function mendSkill(name: string, source: string, description: string | undefined): MendedSkill {
  const notes: string[] = [];
  const plain = plainName(name);
  if (plain !== name) notes.push(`it is called ${plain} here: names are lower-case letters, digits and underscores`);
  const text = source.replace(/^\ufeff/, "");
  if (/^#\s*---\s*$/m.test(text.split("\n").find((line) => line.trim() !== "") ?? ""))
    return { name: plain, text, notes };
  const told = description?.trim() || documentation(text);
  if (told === undefined) notes.push("nothing says what it does; add a description, so that it is found by it");
  const matter = [`# name: ${plain}`, ...(told === undefined ? [] : [`# description: ${JSON.stringify(told)}`])];
  return {
    name: plain,
    text: `# ---\n${matter.join("\n")}\n# ---\n${text.endsWith("\n") ? text : `${text}\n`}`,
    notes,
  };
}

function plainName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "_")
    .replace(/^[^a-z]+/, "")
    .slice(0, 64);
}

/** The first line of the module's documentation, else of run's, without running or parsing more of it than that. */
function documentation(text: string): string | undefined {
  const quoted = /^(?:\s*(?:#[^\n]*)?\n)*\s*[rRuU]?("""|''')([\s\S]*?)\1/.exec(text)?.[2];
  const inside = /^(?:async\s+)?def\s+run\b[\s\S]*?:\s*\n\s+[rRuU]?("""|''')([\s\S]*?)\1/m.exec(text)?.[2];
  for (const found of [quoted, inside]) {
    const line = found?.trim().split("\n")[0]?.trim();
    if (line) return line;
  }
  return undefined;
}
