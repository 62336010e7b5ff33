import type { HelpArgument, HelpOption } from "./help-text.js";
import { choicesOf, describedOption, readOptionSpec } from "./read-option.js";

/** What a usage line tells. */
export interface Usage {
  options: HelpOption[];
  arguments: HelpArgument[];
  /** Subcommands listed in it, as argparse does. */
  commands: string[];
  /** True when words stand in it that are to be written as they are. */
  hasLiterals: boolean;
  /** True when it says that a subcommand follows. */
  takesCommand: boolean;
}

const ignored = /^(?:options?|flags?|global[ -]options?|opts?|switches|\w+[-_ ]options)$/i;
const commandWords = /^(?:sub)?commands?$/i;

/**
 * Reads the usage lines of a help text. `words` are those that the program was called with: they are no arguments.
 * Of several lines, the first with arguments counts; options are drawn from all.
 */
export function readUsage(lines: readonly string[], words: readonly string[]): Usage {
  // Where placeholders are marked, a bare word is meant as it stands; argparse and others mark none.
  const marked = lines.some((line) =>
    /<[^>]+>|(?:^|[\s[({])[A-Z][A-Z\d_-]+\b/.test(line.replace(/\[?OPTIONS?\]?/g, "")),
  );
  const read = lines.map((line) => readLine(line, words, marked));
  const whole = read.filter(({ hasLiterals }) => !hasLiterals);
  const best = whole.find((usage) => usage.arguments.length > 0) ?? whole[0];
  // Words to be written as they stand can't be told as arguments: then all of them are one list.
  const anything = { name: "args", description: "", required: false, many: true };
  return {
    hasLiterals: false,
    options: read.flatMap(({ options }) => options),
    arguments: best?.arguments ?? (read.length > 0 ? [anything] : []),
    commands: read.flatMap(({ commands }) => commands),
    takesCommand: read.some(({ takesCommand }) => takesCommand),
  };
}

function readLine(line: string, words: readonly string[], marked: boolean): Usage {
  const usage: Usage = { options: [], arguments: [], commands: [], hasLiterals: false, takesCommand: false };
  const [, ...tokens] = tokensOf(line);
  while (tokens.length > 0 && words.includes(tokens[0]!)) tokens.shift();
  readTokens(tokens, true, usage);
  const literal = (token: string) =>
    /^[a-z][\w-]*$|^[A-Z][a-z]/.test(token) && !ignored.test(token) && !commandWords.test(token);
  usage.hasLiterals = marked && tokens.some(literal);
  return usage;
}

function readTokens(tokens: readonly string[], required: boolean, usage: Usage): void {
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (/^(?:\.\.\.|…)$/.test(token)) {
      const last = usage.arguments.at(-1);
      if (last !== undefined) last.many = true;
    } else if (/^[[({].*[\])}](?:\.\.\.)?$/.test(token)) readGroup(token, required, usage);
    else if (token === "-" || token === "--") continue;
    else if (token.startsWith("-")) {
      const next = tokens[at + 1] ?? "";
      const valued = /^(?:<.*>|[A-Z][A-Z\d_]*)$/.test(next) && !token.includes("=");
      if (valued) at++;
      addOption(valued ? `${token} ${next}` : token, usage);
    } else addArgument(token, required, usage);
  }
}

function readGroup(token: string, required: boolean, usage: Usage): void {
  const many = token.endsWith("...");
  const whole = many ? token.slice(0, -3) : token;
  const inner = whole.slice(1, -1).trim();
  const optional = token.startsWith("[");
  const choices = token.startsWith("{") ? choicesOf(whole) : undefined;
  if (choices !== undefined) {
    // argparse writes subcommands and the choices of an argument alike; the sections below tell them apart.
    usage.commands.push(...choices);
    usage.arguments.push({ name: inner, description: "", required: required && !optional, many, choices });
    return;
  }
  const before = usage.arguments.length;
  const alternatives = split(inner, "|");
  const options = alternatives.filter((each) => each.startsWith("-") && each !== "-");
  if (alternatives.length > 1) {
    if (options.length === alternatives.length && options.every((each) => !/\s/.test(each)))
      for (const each of oneByOne(options)) addOption(each, usage);
    else for (const each of options) addOption(each, usage);
    const other = alternatives.find((each) => !/^[[({]?-/.test(each));
    if (other !== undefined) readTokens(tokensOf(other), required && !optional && options.length === 0, usage);
  } else if (/^-[^-\s]|^--\w/.test(inner)) addOption(inner, usage);
  else readTokens(tokensOf(inner), required && !optional, usage);
  if (many) for (const argument of usage.arguments.slice(before)) argument.many = true;
}

/** `-g|--global` is one option, `--save|--no-save|--save-dev` are three. */
function oneByOne(alternatives: readonly string[]): string[] {
  const long = alternatives.filter((each) => each.startsWith("--"));
  if (long.length < 2) return [alternatives.join(", ")];
  const short = alternatives.filter((each) => !each.startsWith("--"));
  return long.map((each, at) => (at === 0 ? [...short, each].join(", ") : each));
}

function addOption(text: string, usage: Usage): void {
  const spec = readOptionSpec(text);
  // `-HhnlL` is a bunch of short ones, and `-A|B|C` a riddle: the sections below say them one by one.
  if (spec === undefined || spec.names.some((name) => /^-\w{2,}$/.test(name)) || /^-\w\|\w/.test(text)) return;
  usage.options.push(describedOption(spec, ""));
}

function addArgument(token: string, required: boolean, usage: Usage): void {
  const name = argumentName(token);
  if (name === "" || ignored.test(name)) return;
  // Behind another argument it is a program to run, as `timeout` has it.
  if (commandWords.test(name) && usage.arguments.length === 0) usage.takesCommand = true;
  const known = usage.arguments.find((argument) => argument.name === name);
  const many = /\.\.\.|…/.test(token) || /^arg(?:ument)?s$/i.test(name);
  if (known !== undefined) known.many ||= many || !required;
  else usage.arguments.push({ name, description: "", required, many });
}

/** The name in `<name>`, `NAME...`, `TYPE[.VERSION]` or `SRC|DIR`. */
export function argumentName(token: string): string {
  const inner = /^<([^>]+)>/.exec(token)?.[1] ?? token.replace(/[[(|=:].*$/, "");
  return inner
    .replace(/\.\.\.|…/g, "")
    .replace(/[^\p{L}\p{N}_.-]+/gu, "-")
    .replace(/^[.-]+|[.-]+$/g, "")
    .slice(0, 60);
}

/** Words, with brackets kept whole. */
function tokensOf(text: string): string[] {
  return split(text, " ");
}

function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  let part = "";
  let depth = 0;
  for (const character of text) {
    if ("[({<".includes(character)) depth++;
    else if ("])}>".includes(character)) depth = Math.max(0, depth - 1);
    if (depth === 0 && (character === separator || (separator === " " && /\s/.test(character)))) {
      parts.push(part);
      part = "";
    } else part += character;
  }
  return [...parts, part].map((each) => each.trim()).filter((each) => each !== "");
}
