import type { HelpOption, HelpValue } from "./help-text.js";

const flag = /^(?:--(?:\[no-\])?[\p{L}\p{N}_][\p{L}\p{N}_.-]*|-[^\s,=[\]<>|'"`-][\p{L}\p{N}_-]*|\+[a-z][\w-]*)/iu;
const value = /^(?:\{[^}]*\}|<[^>]*>|'[^']*'|"[^"]*"|\[[^\]]*\]|[^\s,|[\]])+/;

/** Types as Go programs write them behind an option. */
const typeWords = new Set(
  "string strings stringArray stringToString stringSlice int ints int32 int64 uint uint16 uint32 uint64 float float32 float64 duration list bytes bytesHex ip ipNet count".split(
    " ",
  ),
);
const listWords = new Set(["strings", "stringArray", "stringSlice", "list", "ints"]);

/** What a line of options says: the part before the description, and where the description begins. */
export interface OptionSpec {
  names: string[];
  value?: HelpValue;
  repeated: boolean;
  /** What of the text was no option. */
  rest: string;
}

/** Reads `-m, --max-count=NUM`, `--color[=WHEN]`, `-o|--output <file>`, `--name {a,b}` and the like. Undefined when it is none. */
export function readOptionSpec(text: string): OptionSpec | undefined {
  const names: string[] = [];
  let found: HelpValue | undefined;
  let repeated = false;
  let rest = text.trim();
  for (;;) {
    const [name] = flag.exec(rest) ?? [];
    if (name === undefined) break;
    names.push(name.replace("[no-]", ""));
    rest = rest.slice(name.length);
    const read = readValue(rest);
    if (read !== undefined) {
      found ??= read.value;
      if (read.value.glue === "equals") found = read.value;
      repeated ||= read.repeated;
      rest = read.rest;
    }
    if (rest.startsWith("...")) {
      rest = rest.slice(3);
    }
    const [separator] = /^\s*(?:,|\||\bor\b)\s*(?=[-+])|^\s(?=--\w)/.exec(rest) ?? [];
    if (separator === undefined) break;
    rest = rest.slice(separator.length);
  }
  if (names.length === 0) return undefined;
  return { names, ...(found === undefined ? {} : { value: found }), repeated, rest: rest.trim() };
}

function readValue(text: string): { value: HelpValue; repeated: boolean; rest: string } | undefined {
  const optional = /^\[(=?)([^\]]+)\]/.exec(text);
  if (optional !== null && optional[2] !== "...")
    return made(optional[2]!, optional[1] === "=" ? "equals" : "attached", text.slice(optional[0].length));
  if (text.startsWith("=")) {
    const [word = ""] = value.exec(text.slice(1)) ?? [];
    return made(word, "equals", text.slice(1 + word.length));
  }
  const attached = /^<[^>]*>/.exec(text);
  if (attached !== null) return made(attached[0], "attached", text.slice(attached[0].length));
  if (!/^ [^\s-]/.test(text)) return undefined;
  const [word = ""] = value.exec(text.slice(1)) ?? [];
  const rest = text.slice(1 + word.length);
  const alone = /^\s*(?:$|,|\||\.\.\.)/.test(rest) || /^\s+(?:\[|<|[A-Z_]+\b)/.test(rest);
  const marked = /^[<{[]/.test(word) || typeWords.has(word) || /^[A-Z][A-Z\d_.:=/|-]*$/.test(word);
  // A bare word with more behind it is the beginning of a description.
  if (word === "" || (!marked && !(alone && /^[a-z]/i.test(word)))) return undefined;
  return made(word, "space", rest);
}

function made(word: string, glue: HelpValue["glue"], behind: string) {
  const [many = ""] = /^\s?(?:\.\.\.|\[[^\]]*\.\.\.\])/.exec(behind) ?? [];
  const name = word
    .replace(/\.\.\.$/, "")
    .replace(/^[<[{(]|[>\]})]$/g, "")
    .trim();
  const choices = choicesOf(word);
  const repeated = /\.\.\.$/.test(word) || many.trim() === "..." || listWords.has(word);
  return {
    value: { name, glue, ...(choices === undefined ? {} : { choices }) },
    repeated,
    rest: behind.slice(many.length),
  };
}

/** `{a,b}`, `[a|b]` and `<a|b>` list what is allowed; `<KEY|PATH>` and `<path/url>` only say what it is. */
export function choicesOf(word: string): string[] | undefined {
  const inner = word.replace(/\.\.\.$/, "").replace(/^[<[{(]|[>\]})]$/g, "");
  const separator = /^\{.*,.*\}$/.test(word) ? "," : "|";
  const parts = inner.split(separator).map((part) => part.trim());
  if (parts.length < 2 || parts.length > 40 || new Set(parts).size < parts.length) return undefined;
  const plain = separator === "," ? /^[\w.:+-]+$/ : /^[a-z\d][a-z\d.:_-]*$/;
  return parts.every((part) => plain.test(part)) ? parts : undefined;
}

/** Puts what the description says of an option into its place. */
export function describedOption(spec: OptionSpec, described: string): HelpOption {
  const description = described.replace(/\s+/g, " ").trim();
  const listed = /\[possible values: ([^\]]+)\]/.exec(description)?.[1]?.split(/,\s*/);
  const read = spec.value;
  const value = read === undefined || listed === undefined ? read : { ...read, choices: listed };
  return {
    names: spec.names,
    ...(value === undefined ? {} : { value }),
    description,
    required: /[[(]required[\])]/i.test(description),
    repeated:
      spec.repeated ||
      /\b(?:multiple|several|many) times\b|more than once|\brepeatable\b|may be (?:repeated|given again)|can be repeated/i.test(
        description,
      ),
  };
}
