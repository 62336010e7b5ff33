import type { CliDefinitionInput } from "../definition.js";
import type { HelpArgument, HelpOption, HelpText } from "./help-text.js";
import { short } from "./parse-help.js";

/** What a draft is made of. */
export interface DraftParts {
  name: string;
  /** The program and the words that always stand behind it. */
  command: readonly string[];
  help: HelpText;
  /** Help of the subcommands, as far as it could be had. */
  commands: readonly { name: string; description: string; help: HelpText | undefined }[];
}

type Schema = NonNullable<CliDefinitionInput["schema"]>;
type Option = NonNullable<Schema["options"]>[string];
type Positional = NonNullable<Schema["positional"]>[number];
type Recipe = NonNullable<NonNullable<CliDefinitionInput["recipes"]>[string]>;
type Params = NonNullable<Recipe["params"]>;

const validName = /^[\p{L}\p{N}_][\p{L}\p{N}_ .-]{0,99}$/u;
const integers = /^(?:n|num|number|int|integer|u?int\d*|count|port|jobs)$/i;
const numbers = /^(?:float\d*|double|decimal|secs?|seconds)$/i;
/** What takes all further words; one name for the whole program, since only the last argument may be a list. */
const rest = "args";

/** The definition that a program's help gives, for its author to go over. */
export function draftDefinition({ name, command, help, commands }: DraftParts): CliDefinitionInput {
  const base = {
    name,
    ...(help.description === "" ? {} : { description: help.description }),
    ...(command.length === 1 && command[0] === name
      ? {}
      : { command: command.length === 1 ? command[0]! : [...command] }),
    effect: "write" as const,
  };
  if (commands.length === 0) {
    const options = Object.fromEntries(help.options.flatMap((option) => keyed(option)));
    const positional = positionals(help.arguments).filter((argument) => !Object.hasOwn(options, argument.name));
    return { ...base, schema: { ...filled({ options }), ...(positional.length === 0 ? {} : { positional }) } };
  }
  return { ...base, escapeHatch: false, ...subcommands(commands) };
}

function subcommands(commands: DraftParts["commands"]): Pick<CliDefinitionInput, "schema" | "recipes"> {
  const options: Record<string, Option> = {};
  const positional: Positional[] = [];
  const recipes: Record<string, Recipe> = {};
  for (const { name, description, help } of commands) {
    if (!validName.test(name)) continue;
    const params: Params = {};
    let cursor = 0;
    for (const argument of help?.arguments ?? []) {
      if (argument.many || argument.name === rest) {
        params[rest] = {
          description: short(`${argument.name}… ${argument.description}`),
          ...(argument.required ? { required: true } : {}),
        };
        continue;
      }
      const at = positional.findIndex((each, index) => index >= cursor && each.name === argument.name);
      const taken = positional.some((each) => each.name === argument.name) || Object.hasOwn(options, argument.name);
      const own = taken && at < 0 ? `${name}-${argument.name}` : argument.name;
      if (at < 0) positional.splice(cursor, 0, { name: own, required: false });
      cursor = at < 0 ? cursor + 1 : at + 1;
      params[own] = {
        ...filled({ description: argument.description }),
        ...(argument.required && params[rest] === undefined ? { required: true } : {}),
        ...(argument.choices === undefined ? {} : { enum: argument.choices }),
      };
    }
    for (const [key, option] of (help?.options ?? []).flatMap((each) => keyed(each))) {
      const free = key !== rest && !positional.some((each) => each.name === key);
      const shared = free ? sharedKey(options, key, option, name) : `${name}-${key}`;
      if (Object.hasOwn(params, shared)) continue;
      options[shared] ??= shared === key ? option : written(key, option);
      const { description: own = "" } = option ?? {};
      const { description: known = "" } = options[shared] ?? {};
      params[shared] = own === known || own === "" ? {} : { description: own };
    }
    if (Object.keys(params).length === 0 || help === undefined) params[rest] ??= {};
    recipes[name] = { ...filled({ description: description || help?.description || "" }), args: [name], params };
  }
  const used = Object.values(recipes).some(({ params = {} }) => Object.hasOwn(params, rest));
  if (used) positional.push({ name: rest, type: "array", required: false });
  return { schema: { ...filled({ options }), ...(positional.length === 0 ? {} : { positional }) }, recipes };
}

/** Under which key an option stands: its own where no subcommand has another option of that name. */
function sharedKey(options: Record<string, Option>, key: string, option: Option, command: string): string {
  const known = options[key];
  if (known === undefined || shapeOf(known) === shapeOf(option)) return key;
  return `${command}-${key}`;
}

function shapeOf(option: Option): string {
  const { description: _, ...shape } = option ?? {};
  return JSON.stringify(shape, Object.keys(shape).sort());
}

/** An option under another key than its own says how it is written. */
function written(key: string, option: Option): Option {
  if (option?.long !== undefined || option?.short !== undefined || option?.flag !== undefined) return option;
  return key.length === 1 ? { ...option, short: key } : { ...option, long: key };
}

function keyed({ names, value, description, required, repeated }: HelpOption): [string, Option][] {
  const long = names.find((name) => name.startsWith("--"));
  const name = long ?? names.find((each) => /^-.$/u.test(each)) ?? names[0]!;
  const key = name.replace(/^(?:--?|\+)/, "").replace(/[.]+$/, "");
  // `-NUM` stands for `-5`.
  if (/^-[A-Z]{2,}$/.test(name)) return [];
  if (
    !validName.test(key) ||
    key === "help" ||
    (names.includes("-h") && long === undefined && /help/i.test(description))
  )
    return [];
  const flagged = long === undefined && key.length > 1 ? { flag: name } : long?.length === 3 ? { long: key } : {};
  const type = value === undefined ? "boolean" : valueType(value.name, value.choices);
  const many = repeated && value !== undefined;
  // Written as the help shows it: not every program takes an equals sign.
  const apart = value?.glue === "space" ? { style: "separate" as const } : {};
  return [
    [
      key,
      {
        ...(many ? { type: "array" as const, ...(type === "string" ? {} : { items: type as "integer" }) } : { type }),
        ...filled({ description: short(description) }),
        ...(value?.choices === undefined ? {} : { enum: value.choices }),
        ...(required ? { required: true } : {}),
        ...flagged,
        ...apart,
      },
    ],
  ];
}

function valueType(name: string, choices: readonly string[] | undefined) {
  if (choices !== undefined) return "string" as const;
  if (integers.test(name)) return "integer" as const;
  return numbers.test(name) ? ("number" as const) : ("string" as const);
}

function positionals(found: readonly HelpArgument[]): Positional[] {
  const first = found.findIndex(({ many }) => many);
  // Only the last may be a list, and none that is required may follow one that is not.
  const kept = (first < 0 ? found : found.slice(0, first + 1)).slice(0, 10);
  const optional = kept.findIndex(({ required }) => !required);
  return kept.map(({ name, description, required, many, choices }, at) => ({
    name,
    ...(many ? { type: "array" as const } : {}),
    ...filled({ description }),
    ...(choices === undefined ? {} : { enum: choices }),
    required: required && (optional < 0 || at < optional),
  }));
}

/** Without what is empty. */
function filled<T extends Record<string, string | object>>(members: T): Partial<T> {
  const kept = Object.entries(members).filter(([, value]) =>
    typeof value === "string" ? value !== "" : Object.keys(value).length > 0,
  );
  return Object.fromEntries(kept) as Partial<T>;
}
