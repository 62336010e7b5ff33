/** A pattern of names: `*` stands for any characters, `?` for one; all else for itself. Matches in time linear in the text for each `*`. */
export interface NameGlob {
  readonly pattern: string;
  /** True when there is neither `*` nor `?` in it. */
  readonly literal: boolean;
  matches(text: string): boolean;
}

/** `loose`: case, and how a character is composed, make no difference. */
export function nameGlob(pattern: string, { loose = false } = {}): NameGlob {
  const wanted = loose ? fold(pattern) : pattern;
  return {
    pattern,
    literal: !/[*?]/.test(pattern),
    matches: (text) => globMatches(wanted, loose ? fold(text) : text),
  };
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** No regular expression: a pattern and a text of a stranger's choosing must not cost more than their length. */
function globMatches(pattern: string, text: string): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let resumeAt = 0;
  while (place < text.length) {
    if (at < pattern.length && (pattern[at] === "?" || (pattern[at] === text[place] && pattern[at] !== "*"))) {
      at++;
      place++;
    } else if (pattern[at] === "*") {
      star = at++;
      resumeAt = place;
    } else if (star >= 0) {
      at = star + 1;
      place = ++resumeAt;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}
