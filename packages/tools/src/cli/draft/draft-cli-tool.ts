import { basename } from "node:path";
import { ArtificerError, nearestNames } from "@artificer/protocol";
import type { Environment } from "../child-environment.js";
import { findProgram } from "../find-program.js";
import { readDefinition } from "../read-definition.js";
import { type DraftParts, draftDefinition } from "./draft-definition.js";
import type { HelpText } from "./help-text.js";
import { parseHelp } from "./parse-help.js";
import { readHelp } from "./read-help.js";
import { renderDraft } from "./render-draft.js";

/** How a draft is made. */
export interface DraftOptions {
  /** Name of the toolkit; default from the program's. */
  name?: string;
  /** Help text to read instead of asking the program. */
  helpText?: string;
  /** Only these subcommands. */
  only?: readonly string[];
  /** The folder that a program with a slash is relative to; default the working folder. */
  folder?: string;
  environment?: Environment;
  /** Bound on one run of the program, in milliseconds. Default 10,000. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** A definition of a program, to be gone over by its author. */
export interface CliToolDraft {
  name: string;
  /** The YAML file. It loads as it is. */
  text: string;
  /** What could not be read or was left out. */
  notes: string[];
}

const maxCommands = 100;
/** Runs at a time. */
const together = 4;

/**
 * Drafts the definition of a command-line program from what it says of itself: runs it with `--help`, each subcommand too.
 *
 * @param command the program, and words that always stand behind it
 * @throws ArtificerError `tool/program-missing`, `tool/output-unparsable` when the help tells no argument, `tool/unknown-tool` for a
 *   subcommand in `only` that it does not have
 */
export async function draftCliTool(command: readonly string[], options: DraftOptions = {}): Promise<CliToolDraft> {
  const { environment = process.env, folder = process.cwd(), timeoutMs = 10_000 } = options;
  const signal = options.signal ?? new AbortController().signal;
  const [program = "", ...words] = command;
  const name = options.name ?? nameOf(command);
  const file = findProgram(program, { path: environment.PATH, folder });
  if (file === undefined && options.helpText === undefined) throw missing(program);
  const ask = (...args: string[]) =>
    readHelp({ file: file!, args: [...words, ...args], environment, timeoutMs, signal });

  const text = options.helpText ?? (await ask("--help"));
  const help = parseHelp(text, words);
  if (help.options.length + help.arguments.length + help.commands.length === 0) throw unreadable(command, text);
  const notes: string[] = [];
  const wanted = chosen(help, options.only, notes);
  const commands: DraftParts["commands"][number][] = [];
  const nested: string[] = [];
  // `-h` means something else to many programs: only where this one's own help says so.
  const shortHelp = /(?:^|[\s[,|])-h\b[^\n]{0,12}--help|--help[^\n]{0,12}-h\b/.test(text);
  const readCommand = async ({ name: command, description }: HelpText["commands"][number]) => {
    let read = parseHelp(await ask(command, "--help"), [...words, command]);
    if (read.options.length + read.arguments.length === 0 && shortHelp)
      read = parseHelp(await ask(command, "-h"), [...words, command]);
    if (
      read.commands.length > 0 &&
      read.commands.some((inner) => !help.commands.some(({ name }) => name === inner.name))
    )
      nested.push(command);
    // One that repeats the program's own list has no help of its own.
    const own = read.commands.length < help.commands.length || help.commands.length === 0;
    return {
      name: command,
      description,
      help: own && read.options.length + read.arguments.length > 0 ? read : undefined,
    };
  };
  if (file !== undefined && options.helpText === undefined) {
    for (let at = 0; at < wanted.length; at += together) {
      signal.throwIfAborted();
      commands.push(...(await Promise.all(wanted.slice(at, at + together).map(readCommand))));
    }
  } else commands.push(...wanted.map((each) => ({ ...each, help: undefined })));

  const silent = commands
    .filter((each) => each.help === undefined && !nested.includes(each.name))
    .map((each) => each.name);
  if (nested.length > 0)
    notes.push(
      `These have subcommands of their own, each a draft of its own (${[...command, nested[0]].join(" ")}): ${nested.sort().join(", ")}.`,
    );
  if (silent.length > 0) notes.push(`No help of their own was read of: ${silent.join(", ")}.`);
  if (commands.length > 0 && help.options.length > 0)
    notes.push("Options that stand before the subcommand are left out; put fixed ones into `command`.");
  const draft = renderDraft(draftDefinition({ name, command, help, commands }), { command, notes });
  // A draft that does not load would be a fault of ours, told here and not at the next start.
  readDefinition(draft, `the draft of ${name}`);
  return { name, text: draft, notes };
}

function chosen(help: HelpText, only: readonly string[] | undefined, notes: string[]): HelpText["commands"] {
  const names = help.commands.map(({ name }) => name);
  for (const each of only ?? []) {
    if (names.includes(each)) continue;
    throw new ArtificerError("tool/unknown-tool", `The help names no subcommand ${JSON.stringify(each)}.`, {
      details: { name: each, nearest: nearestNames(each, names), allowed: names.slice(0, 100) },
      hint: names.length === 0 ? "It names none at all." : `It names ${names.slice(0, 50).join(", ")}.`,
    });
  }
  const wanted =
    only === undefined || only.length === 0 ? help.commands : help.commands.filter(({ name }) => only.includes(name));
  if (wanted.length > maxCommands) notes.push(`Of ${wanted.length} subcommands the first ${maxCommands} are here.`);
  return wanted.slice(0, maxCommands);
}

/** `git`; `pip` of `python3 -m pip`; `docker-container` of `docker container`. */
function nameOf(command: readonly string[]): string {
  const module = command.indexOf("-m");
  const words = module > 0 && command[module + 1] !== undefined ? command.slice(module + 1) : command;
  const name = words
    .filter((word) => !word.startsWith("-"))
    .map((word) => basename(word).replace(/\.(?:exe|py|sh|js|mjs|rb)$/i, ""))
    .join("-")
    .replace(/[^\p{L}\p{N}_.-]+/gu, "-")
    .replace(/^[.-]+/, "");
  return name === "" ? "program" : name.slice(0, 100);
}

function missing(program: string): ArtificerError {
  return new ArtificerError("tool/program-missing", `The program ${JSON.stringify(program)} is not installed here.`, {
    details: { program },
    hint: "Install it so that it is found in PATH, name its file, or give its help text.",
  });
}

function unreadable(command: readonly string[], text: string): ArtificerError {
  const said = text.trim() === "" ? "It printed nothing." : `It printed: ${text.trim().slice(0, 300)}`;
  return new ArtificerError(
    "tool/output-unparsable",
    `${command.join(" ")} --help tells no option, argument or subcommand that could be read. ${said}`,
    {
      details: { command: [...command] },
      hint: "Give a help text from elsewhere, such as its manual page, or write the definition by hand: docs/command-line-tools.md.",
    },
  );
}
