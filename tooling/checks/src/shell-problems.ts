import type { ShellLine } from "./markdown.js";

/** What shell lines of the documentation may name. */
export interface KnownCommands {
  /** The scripts of the root manifest. */
  scripts: ReadonlySet<string>;
  /** The names of the packages of this workspace that can be installed. */
  installable: ReadonlySet<string>;
  /** The names of all packages of this workspace. */
  packages: ReadonlySet<string>;
  /** The help of `artificer <words> --help`, or undefined when that isn't a command. */
  helpOf(words: readonly string[]): string | undefined;
}

const pnpmOwn = new Set([
  "install",
  "i",
  "add",
  "exec",
  "dlx",
  "pack",
  "publish",
  "create",
  "remove",
  "why",
  "ls",
  "-v",
  "--version",
]);
const npmOwn = new Set([
  "install",
  "i",
  "ci",
  "test",
  "t",
  "exec",
  "init",
  "create",
  "pack",
  "ls",
  "publish",
  "-v",
  "--version",
]);

/** Every command of a page's shell blocks that doesn't exist. */
export function shellProblems(path: string, lines: readonly ShellLine[], known: KnownCommands): string[] {
  return lines.flatMap(({ text, line }) =>
    commandsIn(text).flatMap((words) => {
      const problem = commandProblem(words, known);
      return problem === undefined ? [] : [`${path}:${line} ${problem}`];
    }),
  );
}

/** The commands of one line, cut at `&&`, `||`, `;` and `|`; comments, prompts and leading assignments are dropped. */
function commandsIn(text: string): string[][] {
  const line = text.replace(/^\s*\$\s+/, "").replace(/(^|\s)#.*$/, "");
  return line
    .replace(/'[^']*'|"[^"]*"/g, (quoted) => quoted.replace(/[\s;|&]/g, "\u00a0"))
    .split(/&&|\|\||;|\|/)
    .map((part) =>
      part
        .trim()
        .split(/[ \t]+/)
        .filter((word, index) => word !== "" && !(index === 0 && /^[A-Z_]+=/.test(word))),
    )
    .filter((words) => words.length > 0);
}

function commandProblem(words: readonly string[], known: KnownCommands): string | undefined {
  const [program, ...rest] = words;
  if (program === "npm") return npmProblem(rest, known);
  if (program === "pnpm") return pnpmProblem(rest, known);
  if (program === "artificer") return artificerProblem(rest, known);
  if (program === "npx") {
    const afterFlags = rest.filter((word) => word !== "-y");
    if (afterFlags[0] === "artificer") return artificerProblem(afterFlags.slice(1), known);
  }
  return undefined;
}

function npmProblem(words: readonly string[], known: KnownCommands): string | undefined {
  const [verb = "", ...rest] = words;
  if (verb === "run") return scriptProblem(rest[0] ?? "", known);
  if (verb === "test" || verb === "t") return scriptProblem("test", known);
  if (!npmOwn.has(verb)) return `runs \`npm ${verb}\`, which npm doesn't have; a script is run by \`npm run ${verb}\``;
  return verb === "install" || verb === "i" ? installProblem(rest, known) : undefined;
}

function pnpmProblem(words: readonly string[], known: KnownCommands): string | undefined {
  const filter = words.findIndex((word) => word === "--filter" || word === "-F");
  if (filter !== -1) {
    const name = words[filter + 1] ?? "";
    return known.packages.has(name) ? undefined : `filters for ${name}, which is no package of this workspace`;
  }
  const [verb = "", ...rest] = words;
  if (verb === "add") return installProblem(rest, known);
  if (pnpmOwn.has(verb)) return undefined;
  return scriptProblem(verb === "run" ? (rest[0] ?? "") : verb, known);
}

function scriptProblem(script: string, known: KnownCommands): string | undefined {
  if (known.scripts.has(script)) return undefined;
  return `runs the script "${script}", which package.json doesn't have; it has ${[...known.scripts].join(", ")}`;
}

function installProblem(words: readonly string[], known: KnownCommands): string | undefined {
  const ours = words.filter((word) => word === "artificer" || word.startsWith("@artificer/"));
  const wrong = ours.find((name) => !known.installable.has(name));
  return wrong === undefined ? undefined : `installs ${wrong}, which isn't published from this workspace`;
}

function artificerProblem(words: readonly string[], known: KnownCommands): string | undefined {
  const path: string[] = [];
  for (const word of words) {
    if (!/^[a-z][a-z-]*$/.test(word) || known.helpOf([...path, word]) === undefined) break;
    path.push(word);
  }
  const shown = ["artificer", ...path].join(" ");
  const help = known.helpOf(path);
  if (help === undefined) return `runs \`${shown}\`, which doesn't answer --help`;
  const next = words[path.length];
  // A group of commands takes no arguments of its own, so the next word has to be one of its commands.
  if (/^\s*commands\s*$/im.test(help) && next !== undefined && !next.startsWith("-")) {
    return `runs \`${shown} ${next}\`, but \`${shown} --help\` lists no such command`;
  }
  const flag = words
    .slice(path.length)
    .find((word) => /^--[a-z]/.test(word) && word !== "--help" && !mentions(help, word.replace(/=.*/, "")));
  return flag === undefined ? undefined : `passes ${flag}, which \`${shown} --help\` doesn't name`;
}

function mentions(help: string, flag: string): boolean {
  return new RegExp(`(^|[^\\w-])${flag}(?![\\w-])`, "m").test(help);
}
