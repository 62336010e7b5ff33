import { ArtificerError } from "@artificer/protocol";

/** A skill's file taken apart. */
export interface SplitSource {
  /** The YAML, without what makes it a comment; undefined when there is none. */
  yaml: string | undefined;
  /** Line of the file that the YAML's first line is on, from 1. */
  yamlLine: number;
  /** Whether it is a comment: one that turns out to be no front matter is just that. */
  commented: boolean;
  /** The source after the front matter. */
  body: string;
  /** The whole file as a program with the same lines: those of the front matter are blank. */
  program: string;
}

interface Style {
  opening: RegExp;
  closing: RegExp;
  /** Takes the comment's mark off a line of YAML; undefined when the line is no part of such a block. */
  strip: (line: string) => string | undefined;
  commented: boolean;
}

const styles: readonly Style[] = [
  { opening: /^#\s*---\s*$/, closing: /^#\s*---\s*$/, strip: (line) => /^# ?(.*)$/.exec(line)?.[1], commented: true },
  {
    opening: /^\/\/\s*---\s*$/,
    closing: /^\/\/\s*---\s*$/,
    strip: (line) => /^\/\/ ?(.*)$/.exec(line)?.[1],
    commented: true,
  },
  { opening: /^\/\*\s*---\s*$/, closing: /^\s*---\s*\*\/\s*$/, strip: (line) => line, commented: true },
  { opening: /^---\s*$/, closing: /^---\s*$/, strip: (line) => line, commented: false },
];

/**
 * Finds front matter at the top of a skill's file: a block between two `# ---` lines (Python), two `// ---` lines or
 * `/* ---` and its end (TypeScript), or plainly between two `---` lines. A shebang and empty lines may come before it.
 *
 * @throws ArtificerError `skill/invalid-front-matter` when a plain block is not closed.
 */
export function splitFrontMatter(text: string): SplitSource {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const none = { yaml: undefined, yamlLine: 1, commented: true, body: lines.join("\n"), program: lines.join("\n") };
  const start = lines.findIndex((line, at) => line.trim() !== "" && !(at === 0 && line.startsWith("#!")));
  const style = start === -1 ? undefined : styles.find(({ opening }) => opening.test(lines[start]!));
  if (style === undefined) return none;
  const yaml: string[] = [];
  for (let at = start + 1; at < lines.length; at++) {
    if (style.closing.test(lines[at]!)) return taken(lines, start, at, yaml, style);
    const line = style.strip(lines[at]!);
    if (line === undefined) break;
    yaml.push(line);
  }
  if (style.commented) return none;
  throw new ArtificerError(
    "skill/invalid-front-matter",
    `The front matter that begins on line ${start + 1} is not closed.`,
    {
      details: { line: start + 1 },
      hint: "End it with a line of three dashes, as it began.",
    },
  );
}

function taken(lines: string[], start: number, end: number, yaml: string[], style: Style): SplitSource {
  const before = lines.slice(0, start);
  const after = lines.slice(end + 1);
  const program = [...before, ...Array<string>(end - start + 1).fill(""), ...after];
  return {
    yaml: yaml.join("\n"),
    yamlLine: start + 2,
    commented: style.commented,
    body: [...before.filter((line) => line !== ""), ...after].join("\n").replace(/^\n+/, ""),
    program: program.join("\n"),
  };
}
