import type { HelpArgument, HelpCommand, HelpOption, HelpText } from "./help-text.js";
import { describedOption, type OptionSpec, readOptionSpec } from "./read-option.js";
import { argumentName, readUsage } from "./read-usage.js";

interface Line {
  indent: number;
  text: string;
}

const maxDescriptionChars = 240;
const maxDescriptionLines = 30;
const maxOptionIndent = 20;
const commandHeading = /\b(?:sub)?commands?\b|\bfunctions\b|\bapplets\b/i;
const argumentHeading = /^(?:positional )?(?:arguments|args|parameters)$/i;

/**
 * Reads what a program prints for `--help`: as GNU programs, argparse, click, clap, cobra, busybox, npm, git and manual pages write it.
 * What it can't make out is left out: the result is a draft.
 *
 * @param words those behind the program's name, such as the subcommand
 */
export function parseHelp(text: string, words: readonly string[] = []): HelpText {
  const lines = cleaned(text);
  const usageLines = findUsage(lines);
  const usage = readUsage(usageLines.texts, words);
  const body = lines.filter((_, at) => !usageLines.taken.has(at));
  const options = readOptions(body);
  const described = readArguments(body);
  const commands = readCommands(body, usage.takesCommand, usage.commands);
  const positionals = usage.arguments.filter(({ name, choices }) => !isCommand(name, choices, commands));
  return {
    description: readDescription(body),
    options: merged([...options, ...usage.options, ...bracketed(body)]),
    arguments:
      positionals.length > 0
        ? positionals.map((argument) => ({
            ...argument,
            description: described.find(({ name }) => name === argument.name)?.description ?? "",
          }))
        : commands.length > 0
          ? []
          : described,
    commands,
  };
}

/** Lines without colours, overstrikes of manual pages, and tabs. */
function cleaned(text: string): Line[] {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are to go.
      .replace(/\u001b\[[\d;?]*[A-Za-z]/g, "")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: a backspace, as manual pages underline with.
      .replace(/.\u0008/g, "")
      .split(/\r?\n/)
      .slice(0, 5000)
      .map((line) => {
        const spaces = line.slice(0, 2000).replace(/^[\t ]*/, (margin) => margin.replaceAll("\t", "        "));
        const body = spaces.trimStart();
        return { indent: spaces.length - body.length, text: body.replaceAll("\t", "  ").trimEnd() };
      })
  );
}

function findUsage(lines: readonly Line[]): { texts: string[]; taken: Set<number> } {
  const texts: string[] = [];
  const taken = new Set<number>();
  const start = lines.findIndex(({ text }) => /^(?:usage\b.*:|usage$|synopsis$)/i.test(text));
  if (start < 0) return { texts, taken };
  taken.add(start);
  const first = lines[start]!.text.replace(/^(?:usage|synopsis)\b[^:]*:?\s*/i, "");
  if (first !== "") texts.push(first);
  let at = start + 1;
  if (first === "") while (lines[at]?.text === "") taken.add(at++);
  const program = (first || lines[at]?.text || "").split(/\s/)[0] ?? "";
  for (; at < lines.length && lines[at]!.text !== ""; at++) {
    const { text, indent } = lines[at]!;
    if (indent <= lines[start]!.indent && first !== "") break;
    if (/^-/.test(text) && /\S {2,}\S/.test(text)) break;
    // Some begin their description right below.
    if (first !== "" && indent < 6 && !/^(?:or:|[[<({-])/i.test(text) && text.split(/\s/)[0] !== program) break;
    if (texts.length === 0 && text.startsWith("-")) break;
    taken.add(at);
    const other = text.replace(/^or:\s*/i, "");
    if (other !== text || texts.length === 0 || text.split(/\s/)[0] === program) texts.push(other);
    else texts[texts.length - 1] += ` ${text}`;
  }
  return { texts, taken };
}

function readOptions(lines: readonly Line[]): HelpOption[] {
  const options: HelpOption[] = [];
  for (let at = 0; at < lines.length; at++) {
    const { indent } = lines[at]!;
    let { text } = lines[at]!;
    if (!beginsOption(lines, at)) continue;
    // `--color[=WHEN],` goes on in the next line.
    while (/,$/.test(text) && /^-/.test(lines[at + 1]?.text ?? "")) text = `${text} ${lines[++at]!.text}`;
    const [head, tail] = headAndTail(text);
    const spec = readOptionSpec(head);
    if (spec === undefined) continue;
    const more: string[] = [];
    for (let next = at + 1; next < lines.length; next++) {
      const line = lines[next]!;
      if (line.text === "") continue;
      if (more.length >= maxDescriptionLines || line.indent <= indent || beginsOption(lines, next)) break;
      more.push(line.text);
    }
    options.push(withDefault(spec, [spec.rest, tail, ...more].join(" ").trim()));
  }
  return options;
}

/** A line that begins with a dash, unless it goes on with what the line above it says. */
function beginsOption(lines: readonly Line[], at: number): boolean {
  const { indent, text } = lines[at]!;
  if (!/^[-+]/.test(text) || indent > maxOptionIndent) return false;
  const above = lines[at - 1];
  return above === undefined || above.text === "" || above.indent !== indent || /^[-+]|:$/.test(above.text);
}

/** npm lists options in brackets, as usage lines do, under a heading of their own. */
function bracketed(lines: readonly Line[]): HelpOption[] {
  const texts = lines.filter(({ text }) => text.startsWith("[-")).map(({ text }) => text);
  return texts.length === 0 ? [] : readUsage([`_ ${texts.join(" ")}`], []).options;
}

/** Where options end and their description begins: two blanks, or ` : `, or at the end ` :`. */
function headAndTail(text: string): [string, string] {
  const gap = /\s{2,}|\s:\s/.exec(text);
  const head = gap === null ? text : text.slice(0, gap.index);
  return [head.replace(/:$/, ""), gap === null ? "" : text.slice(gap.index + gap[0].length)];
}

/** kubectl shows defaults in place of values: `--watch=false`, `--output=''`, `--limit=500`, `--label=[]`. */
function withDefault(spec: OptionSpec, description: string): HelpOption {
  const shown = spec.value?.name;
  const option = describedOption(spec, description);
  if (shown === "false") return { ...option, value: undefined } as unknown as HelpOption;
  if (shown === "true" && spec.value?.glue === "equals")
    return { ...option, value: { name: "bool", glue: "equals", choices: ["true", "false"] } };
  if (shown !== undefined && /^-?\d+$/.test(shown)) return { ...option, value: { name: "int", glue: "equals" } };
  if (shown === "''" || shown === '""') return { ...option, value: { name: "value", glue: "equals" } };
  return option;
}

/** The same option told twice is told once; the list says more of it than the usage. */
function merged(options: readonly HelpOption[]): HelpOption[] {
  const seen = new Set<string>();
  return options.filter(({ names }) => {
    if (names.some((name) => seen.has(name))) return false;
    for (const name of names) seen.add(name);
    return true;
  });
}

function readArguments(lines: readonly Line[]): HelpArgument[] {
  const found: HelpArgument[] = [];
  for (const { line, heading, next } of headed(lines)) {
    if (!argumentHeading.test(heading)) continue;
    const [, token, description] = /^(\S+(?: \.\.\.)?)(?:\s{2,}(.*))?$/.exec(line.text) ?? [];
    if (token === undefined || line.indent > maxOptionIndent || /^[-{]/.test(token)) continue;
    found.push({
      name: argumentName(token.replace(/^\[([^\]]+)\]/, "<$1>")),
      description: short(description ?? (next !== undefined && next.indent > line.indent ? next.text : "")),
      required: !token.startsWith("["),
      many: token.includes("..."),
    });
  }
  return found.filter(({ name }) => name !== "");
}

function readCommands(lines: readonly Line[], expected: boolean, fromUsage: readonly string[]): HelpCommand[] {
  const commands = new Map<string, string>();
  let lists = "";
  for (const { line, heading } of headed(lines)) {
    const named = commandHeading.test(heading) && !/\boptions?\b|command[- ]line/i.test(heading);
    const listed = fromUsage.length > 0 && argumentHeading.test(heading);
    const plausible =
      expected && !/option|argument|example|flag|usage|note|environment|exit|status|signal/i.test(heading);
    if (!named && !listed && !plausible) continue;
    const [, name, description] =
      /^\*?([a-z][\w:.-]*)(?:,\s*[\w-]+)*\*?(?:\s{2,}|\s+-\s+)(\S.*)$/i.exec(line.text) ?? [];
    if (name !== undefined && line.indent > 0 && line.indent <= 12) {
      if (!listed || fromUsage.includes(name)) commands.set(name, commands.get(name) ?? short(description!));
    } else if (named && /^[\w[.:-]+(?:,\s*[\w[.:-]+)*,?$/.test(line.text)) lists += `${line.text.replace(/,?$/, ",")}`;
  }
  for (const name of lists.split(",").map((each) => each.trim()))
    if (commands.size === 0 || lists.split(",").length > 3)
      if (/^[a-z][\w:.-]*$/i.test(name) && !commands.has(name)) commands.set(name, "");
  commands.delete("help");
  return Array.from(commands, ([name, description]) => ({ name, description }));
}

/** Each line with the heading above it: a line that is less indented and ends a paragraph with a colon, or stands alone. */
function* headed(lines: readonly Line[]): Generator<{ line: Line; heading: string; next: Line | undefined }> {
  let heading = "";
  let level = 0;
  for (const [at, line] of lines.entries()) {
    if (line.text === "") continue;
    const next = lines.slice(at + 1).find(({ text }) => text !== "");
    const above = lines[at - 1]?.text ?? "";
    const deeper = next !== undefined && (next.indent > line.indent || (above === "" && line.text.endsWith(":")));
    if (deeper && !/^-/.test(line.text) && (line.text.endsWith(":") || (line.indent === 0 && above === ""))) {
      heading = line.text.replace(/:$/, "");
      level = line.indent;
    } else if (line.indent < level || /^-/.test(line.text)) continue;
    else yield { line, heading, next };
  }
}

function isCommand(name: string, choices: readonly string[] | undefined, commands: readonly HelpCommand[]): boolean {
  if (commands.length === 0) return false;
  if (choices !== undefined) return choices.every((choice) => commands.some((command) => command.name === choice));
  return /^(?:sub)?commands?$|^arg(?:ument)?s?$/i.test(name);
}

/** The first sentence that is neither heading, option nor list. */
function readDescription(lines: readonly Line[]): string {
  const named = lines.findIndex(({ text }) => text === "NAME");
  if (named >= 0) return short(/\s-+\s(.*)/.exec(lines[named + 1]?.text ?? "")?.[1] ?? "");
  for (const [at, { text, indent }] of lines.entries()) {
    // What stands below the options and commands speaks of other things.
    if (/^[-+]/.test(text) || (text.endsWith(":") && commandHeading.test(text))) return "";
    if (text === "" || text.endsWith(":") || /\S {2,}\S/.test(text) || indent > 4) continue;
    if (!/\s/.test(text) || /^(?:npm|see|try|for more|report|find more|\$)\b|^\w+ <|^\S+, \S+, /i.test(text)) continue;
    const paragraph = [text];
    for (let next = at + 1; /\w$|\W,$/.test(paragraph.at(-1)!) && lines[next] !== undefined; next++) {
      if (lines[next]!.text === "" || lines[next]!.indent !== indent) break;
      paragraph.push(lines[next]!.text);
    }
    return short(paragraph.join(" "));
  }
  return "";
}

/** One line, of a length that a listing bears. */
export function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > maxDescriptionChars ? `${line.slice(0, maxDescriptionChars - 1).trimEnd()}…` : line;
}
