import type { JsonValue } from "@artificer/protocol";
import type { ErrorObject } from "ajv";

/** What is wrong with the arguments, in words. */
export interface ArgumentProblem {
  /** Name of the argument; empty when it is the arguments as a whole. */
  argument: string;
  /** Where in it, e.g. `headers[2].name`. */
  path: string;
  /** `must be one of "a", "b"`. */
  expected: string;
  /** What stands there, shortened. */
  got: string;
  allowed?: JsonValue;
  /** Set when the problem is a name that a closed schema doesn't know, at the top level. */
  unknown?: string;
}

/** Puts the most telling of a validator's errors into words. */
export function describeProblem(errors: readonly ErrorObject[], args: unknown): ArgumentProblem {
  const error = mostTelling(errors);
  if (error === undefined) return { argument: "", path: "", expected: "must fit the schema", got: describeValue(args) };
  const steps = pointerSteps(error.instancePath);
  const { additionalProperty, unevaluatedProperty } = error.params as Record<string, unknown>;
  const extra = additionalProperty ?? unevaluatedProperty;
  if (typeof extra === "string" && steps.length === 0) {
    return { argument: extra, path: extra, expected: "is unknown", got: "it", unknown: extra };
  }
  const missing = error.keyword === "required" ? String(error.params.missingProperty) : undefined;
  const { text, allowed } = expectation(error, errors);
  return {
    argument: steps[0] ?? "",
    path: pathText(steps),
    expected: text,
    got: missing === undefined ? describeValue(valueAt(args, steps)) : "none",
    ...(allowed === undefined ? {} : { allowed }),
  };
}

/**
 * A failed alternative reports each branch and then itself. When a branch fails deeper inside the value than the alternative
 * stands, that is the slip; otherwise it is the alternative as a whole.
 */
function mostTelling(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const whole = errors.findLast(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  if (whole === undefined) return errors[0];
  const deeper = errors.filter(({ instancePath }) => instancePath.length > whole.instancePath.length);
  return deeper.length > 0 ? deeper.reduce((a, b) => (b.instancePath.length > a.instancePath.length ? b : a)) : whole;
}

function expectation(error: ErrorObject, errors: readonly ErrorObject[]): { text: string; allowed?: JsonValue } {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case "type": {
      const types = Array.isArray(params.type) ? params.type.map(String) : [String(params.type)];
      return { text: `must be ${types.map(typeWord).join(" or ")}`, allowed: types };
    }
    case "enum": {
      const allowed = params.allowedValues as JsonValue[];
      return { text: `must be one of ${allowed.map((value) => JSON.stringify(value)).join(", ")}`, allowed };
    }
    case "const":
      return { text: `must be ${JSON.stringify(params.allowedValue)}`, allowed: [params.allowedValue as JsonValue] };
    case "anyOf":
    case "oneOf":
      return alternatives(error, errors);
    case "required":
      return { text: `must have ${JSON.stringify(params.missingProperty)}` };
    case "additionalProperties":
    case "unevaluatedProperties":
      return { text: `must not have ${JSON.stringify(params.additionalProperty ?? params.unevaluatedProperty)}` };
    case "pattern":
      return { text: `must match the pattern ${String(params.pattern)}`, allowed: String(params.pattern) };
    case "format":
      return { text: `must be of the format ${String(params.format)}`, allowed: String(params.format) };
    default:
      return { text: error.message ?? "must fit the schema" };
  }
}

/** Says what each branch wanted, when all of them wanted something of the value itself. */
function alternatives(error: ErrorObject, errors: readonly ErrorObject[]): { text: string; allowed?: JsonValue } {
  if (error.params.passingSchemas != null) return { text: "must match exactly one of the alternatives" };
  const own = errors.filter((other) => other !== error && other.instancePath === error.instancePath);
  const wanted = own
    .filter(({ keyword }) => keyword !== "anyOf" && keyword !== "oneOf")
    .map((other) => expectation(other, errors).text.replace(/^must /, ""));
  const distinct = [...new Set(wanted)];
  if (distinct.length === 0) return { text: "must match one of the alternatives" };
  const text = distinct.map((want) => want.replace(/^be (?!one of)/, "")).join(" or ");
  return {
    text:
      /^(an?|one|null) /.test(text) || text.startsWith("null") ? `must be ${text}` : `must ${distinct.join(" or ")}`,
    allowed: distinct.map((want) => want.replace(/^be /, "")),
  };
}

function typeWord(type: string): string {
  switch (type) {
    case "integer":
    case "array":
    case "object":
      return `an ${type}`;
    case "null":
      return "null";
    default:
      return `a ${type}`;
  }
}

const maxShownChars = 80;

/** A value's kind and beginning, e.g. `the string "abc"`. Never the whole of something long. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return "null";
  switch (typeof value) {
    case "string":
      return `the string ${JSON.stringify(value.length > maxShownChars ? `${value.slice(0, maxShownChars)}…` : value)}`;
    case "number":
      return `the number ${value}`;
    case "boolean":
      return String(value);
    case "bigint": {
      const digits = value.toString();
      return `the big integer ${digits.length > maxShownChars ? `${digits.slice(0, maxShownChars)}…` : digits}`;
    }
    case "object":
      break;
    default:
      return `a ${typeof value}`;
  }
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value instanceof Uint8Array) return `${value.byteLength} bytes`;
  if (value instanceof Date) return "a date";
  if (value instanceof Set) return `a set of ${value.size}`;
  if (value instanceof Map) return "a dictionary whose keys are not all strings";
  const names = Object.keys(value);
  return names.length === 0
    ? "an empty object"
    : `an object with ${names
        .slice(0, 5)
        .map((name) => JSON.stringify(name))
        .join(", ")}`;
}

function pointerSteps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function pathText(steps: readonly string[]): string {
  return steps.map((step, at) => (/^\d+$/.test(step) && at > 0 ? `[${step}]` : at === 0 ? step : `.${step}`)).join("");
}

function valueAt(root: unknown, steps: readonly string[]): unknown {
  let current = root;
  for (const step of steps) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, step)) return undefined;
    current = (current as Record<string, unknown>)[step];
  }
  return current;
}
