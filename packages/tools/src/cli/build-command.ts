import { ArtificerError } from "@artificer/protocol";
import type { CliDefinition } from "./definition.js";
import type { CliParameter, CliToolPlan } from "./plan-tools.js";

/** What to run: the words behind the program, and what it reads. */
export interface CommandLine {
  args: string[];
  stdin: string | Uint8Array | undefined;
}

/** What building a command needs of its toolkit. */
export interface CommandContext {
  /** `toolkit.tool`, for messages. */
  path: string;
  endOfOptions: CliDefinition["endOfOptions"];
}

/**
 * Turns arguments into words for the program. No shell is involved, and no value can become a flag: it is tied to its option,
 * stands behind the end-of-options mark, or is refused.
 *
 * @throws ArtificerError `tool/invalid-argument`, `tool/missing-argument`
 */
export function buildCommand(plan: CliToolPlan, given: Record<string, unknown>, context: CommandContext): CommandLine {
  const words = [...plan.args];
  const behind: string[] = [];
  let stdin: string | Uint8Array | undefined;
  let absent: string | undefined;
  for (const spec of plan.parameters) {
    const value = givenOrDefault(spec, given);
    if (value === undefined || value === null) {
      if (spec.required) throw missing(context, spec.name);
      // One that the recipe doesn't take is no gap: the next stands in its place.
      if (spec.place === "positional" && spec.open) absent ??= spec.name;
      continue;
    }
    switch (spec.place) {
      case "option":
        words.push(...optionWords(spec, value, context));
        break;
      case "positional":
        if (absent !== undefined) throw missing(context, absent, `it stands before ${JSON.stringify(spec.name)}`);
        behind.push(...positionalWords(spec, value, context));
        break;
      case "stdin":
        stdin = stdinOf(spec, value, context);
        break;
    }
  }
  if (behind.length > 0 && context.endOfOptions !== false) {
    words.push(context.endOfOptions === true ? "--" : context.endOfOptions);
  }
  return { args: [...words, ...behind], stdin };
}

function givenOrDefault(spec: CliParameter, given: Record<string, unknown>): unknown {
  const own = spec.open && Object.hasOwn(given, spec.name) ? given[spec.name] : undefined;
  return own ?? spec.default;
}

/** The flag as the program takes it. */
export function flagOf({ name, option }: CliParameter): string {
  if (option?.flag !== undefined) return option.flag;
  if (option?.long !== undefined) return `--${option.long}`;
  if (option?.short !== undefined) return `-${option.short}`;
  return name.length === 1 ? `-${name}` : `--${name}`;
}

function optionWords(spec: CliParameter, value: unknown, context: CommandContext): string[] {
  const flag = flagOf(spec);
  if (spec.type === "boolean") {
    if (typeof value !== "boolean") throw refused(context, spec, "has to be true or false");
    return value ? [flag] : [];
  }
  const texts = listOf(spec, value, context);
  const separator = spec.option?.separator;
  if (separator === undefined) return texts.flatMap((text) => flagWithValue(spec, flag, text, context));
  const split = texts.find((text) => text.includes(separator));
  if (split !== undefined)
    throw refused(context, spec, `has an item that holds the separator ${JSON.stringify(separator)}`);
  return texts.length === 0 ? [] : flagWithValue(spec, flag, texts.join(separator), context);
}

function flagWithValue(spec: CliParameter, flag: string, text: string, context: CommandContext): string[] {
  const style = spec.option?.style ?? (flag.startsWith("--") ? "equals" : /^-.$/u.test(flag) ? "attached" : "separate");
  if (style === "equals") return [`${flag}=${text}`];
  // An empty value can't be attached: the program would take the next word instead.
  if (style === "attached" && text !== "") return [`${flag}${text}`];
  if (startsLikeFlag(text) && spec.option?.allowLeadingDash !== true) {
    throw refused(context, spec, `can't begin with "-": ${flag} would take it for another option`);
  }
  return [flag, text];
}

function positionalWords(spec: CliParameter, value: unknown, context: CommandContext): string[] {
  const texts = listOf(spec, value, context);
  if (context.endOfOptions === false && texts.some(startsLikeFlag)) {
    throw refused(context, spec, 'can\'t begin with "-": the program would take it for an option');
  }
  return texts;
}

/** A lone dash is no flag: it means standard input, which is empty. */
function startsLikeFlag(text: string): boolean {
  return text.startsWith("-") && text !== "-";
}

function listOf(spec: CliParameter, value: unknown, context: CommandContext): string[] {
  if (spec.type !== "array") return [wordOf(spec, value, context)];
  if (!Array.isArray(value)) throw refused(context, spec, "has to be a list");
  return value.map((item) => wordOf(spec, item, context));
}

function wordOf(spec: CliParameter, value: unknown, context: CommandContext): string {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint") {
    throw refused(context, spec, "has to be text or a number");
  }
  // Whole numbers are written out: 1e21 is no integer to a program.
  const text = typeof value === "number" && Number.isInteger(value) ? BigInt(value).toString() : String(value);
  if (text.includes("\0")) throw refused(context, spec, "must not hold a NUL character: no program can be given one");
  if (/\p{Surrogate}/u.test(text)) throw refused(context, spec, "is no well-formed Unicode");
  return text;
}

function stdinOf(spec: CliParameter, value: unknown, context: CommandContext): string | Uint8Array {
  if (typeof value === "string") return value;
  if (spec.type === "bytes" && value instanceof Uint8Array) return value;
  throw refused(context, spec, spec.type === "bytes" ? "has to be text or bytes" : "has to be text");
}

function refused(context: CommandContext, spec: CliParameter, why: string): ArtificerError {
  return new ArtificerError(
    "tool/invalid-argument",
    `${context.path}: the argument ${JSON.stringify(spec.name)} ${why}.`,
    {
      details: { tool: context.path, argument: spec.name, path: spec.name },
    },
  );
}

function missing(context: CommandContext, name: string, why?: string): ArtificerError {
  const reason = why === undefined ? "" : `: ${why}`;
  return new ArtificerError(
    "tool/missing-argument",
    `${context.path} needs the argument ${JSON.stringify(name)}${reason}.`,
    {
      details: { tool: context.path, argument: name, missing: [name] },
    },
  );
}
