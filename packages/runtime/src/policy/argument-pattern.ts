import { posix } from "node:path";
import { argumentValues } from "./argument-values.js";
import { compileExpression } from "./compile-expression.js";
import { nameGlob } from "./name-glob.js";
import type { ArgumentPattern, ArgumentTest } from "./policy-options.js";

/** Longer texts are not searched by expressions: whoever chooses the text must not choose how long the host looks. */
const maxSearched = 65_536;

/**
 * A test of one value. Where it can't be told, `generous` says that it counts as a match: a rule that restricts is generous, one that grants is not.
 */
type ValueTest = (value: unknown, generous: boolean) => boolean;

/** Whether the arguments fit; `some` value of several is enough for a rule that restricts, one that grants needs `every`. */
export type ArgumentsTest = (args: unknown, restricts: boolean) => boolean;

/** Compiles what a rule says of one argument. @throws SyntaxError for a regular expression that is none. */
export function argumentTest(path: string, pattern: ArgumentPattern): ArgumentsTest {
  const test = valueTest(pattern);
  const given = isTest(pattern) ? pattern.given : undefined;
  const negated = isTest(pattern) && pattern.not !== undefined;
  return (args, restricts) => {
    const values = argumentValues(args, path);
    if (values.length === 0) return given === false || (negated && restricts && given !== true);
    if (given === false) return false;
    return restricts ? values.some((value) => test(value, true)) : values.every((value) => test(value, false));
  };
}

function isTest(pattern: ArgumentPattern): pattern is ArgumentTest {
  return typeof pattern === "object" && pattern !== null;
}

function valueTest(pattern: ArgumentPattern): ValueTest {
  if (!isTest(pattern)) return each((value) => value === pattern);
  const tests: ValueTest[] = [];
  const { is, matches, min, max, not } = pattern;
  if (is !== undefined) {
    const allowed: readonly unknown[] = Array.isArray(is) ? is : [is];
    tests.push(each((value) => allowed.includes(value)));
  }
  if (pattern.glob !== undefined) tests.push(textTest(list(pattern.glob).map((glob) => nameGlob(glob).matches)));
  if (matches !== undefined) {
    const expression = compileExpression(matches);
    tests.push(
      each((value, generous) => {
        const text = textOf(value);
        if (text === undefined) return false;
        return text.length > maxSearched ? generous : expression.test(text);
      }),
    );
  }
  if (pattern.under !== undefined) tests.push(textTest(list(pattern.under).map(isUnder)));
  if (pattern.host !== undefined) {
    const hosts = list(pattern.host).map((host) => nameGlob(host, { loose: true }));
    tests.push(textTest([(text) => hosts.some((host) => host.matches(hostOf(text) ?? ""))]));
  }
  if (min !== undefined) tests.push(each((value) => Number(value) >= min));
  if (max !== undefined) tests.push(each((value) => Number(value) <= max));
  if (not !== undefined) {
    const inner = valueTest(not);
    tests.push((value, generous) => !inner(value, !generous));
  }
  return (value, generous) => tests.every((test) => test(value, generous));
}

/** Of a list, some item for a rule that restricts, each for one that grants; what restricts also sees words of a list as one text. */
function each(test: ValueTest): ValueTest {
  return (value, generous) => {
    if (!Array.isArray(value)) return test(value, generous);
    if (!generous) return value.length > 0 && value.every((item) => test(item, false));
    const words = value.length < 1000 && value.every((item) => typeof item === "string");
    return value.some((item) => test(item, true)) || (words && test(value.join(" "), true));
  };
}

function textTest(tests: readonly ((text: string) => boolean)[]): ValueTest {
  return each((value) => {
    const text = textOf(value);
    return text !== undefined && tests.some((test) => test(text));
  });
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" || typeof value === "bigint"
    ? String(value)
    : undefined;
}

function list(value: string | readonly string[]): readonly string[] {
  return typeof value === "string" ? [value] : value;
}

function isUnder(folder: string): (path: string) => boolean {
  const root = posix.normalize(folder).replace(/\/+$/, "");
  return (path) => {
    const plain = posix.normalize(path.replaceAll("\\", "/"));
    if (root === ".") return !plain.startsWith("/") && plain !== ".." && !plain.startsWith("../");
    return plain === root || plain.startsWith(`${root}/`);
  };
}

function hostOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).hostname.replace(/\.$/, "") : undefined;
}
