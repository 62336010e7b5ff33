import type { Language } from "@artificer/protocol";

/**
 * Whether more lines must follow before this is worth running: an open bracket, string or comment, or, in Python, a block that no
 * blank line has ended. Two blank lines at the end always say "run it", so that a wrong guess can't trap anyone.
 */
export function needsMore(code: string, language: Language): boolean {
  if (/\n[ \t]*\n[ \t]*$/.test(code)) return false;
  const { open, lines } = scan(code, language);
  if (open) return true;
  if (language !== "python") return false;
  if (/\\$/.test(code)) return true;
  const block = lines.some((line) => /:\s*$/.test(line) || /^\s*@/.test(line));
  return block && lines.at(-1)?.trim() !== "";
}

/** Walks over strings and comments; `lines` has both blanked out. */
function scan(code: string, language: Language): { open: boolean; lines: string[] } {
  const python = language === "python";
  const multiLine = python ? ['"""', "'''"] : ["`", "/*"];
  let depth = 0;
  let text = "";
  let at = 0;
  while (at < code.length) {
    const rest = code.slice(at, at + 3);
    const long = multiLine.find((mark) => rest.startsWith(mark));
    const comment = python ? rest.startsWith("#") : rest.startsWith("//");
    if (long !== undefined) {
      const end = endOf(code, at + long.length, long === "/*" ? "*/" : long);
      if (end === undefined) return { open: true, lines: text.split("\n") };
      text += long === "/*" ? "" : "s";
      at = end;
    } else if (comment) {
      const end = code.indexOf("\n", at);
      at = end === -1 ? code.length : end;
    } else if (rest.startsWith('"') || rest.startsWith("'")) {
      // A short string ends with its line at the latest: left open, it is an error to be told, not to be waited for.
      const line = code.indexOf("\n", at);
      const end = endOf(code, at + 1, rest[0] as string, line === -1 ? code.length : line);
      if (end === undefined) return { open: false, lines: [] };
      text += "s";
      at = end;
    } else {
      if ("([{".includes(rest[0] as string)) depth++;
      if (")]}".includes(rest[0] as string)) depth--;
      text += rest[0] === "\n" && depth > 0 ? " " : rest[0];
      at++;
    }
  }
  return { open: depth > 0, lines: text.split("\n") };
}

/** Where the string that began is over, unless it is still open. */
function endOf(code: string, from: number, mark: string, limit = code.length): number | undefined {
  for (let at = from; at < limit; at++) {
    if (code[at] === "\\" && mark !== "*/") at++;
    else if (code.startsWith(mark, at)) return at + mark.length;
  }
  return undefined;
}
