import { type JsonValue, type Value, valueToJson } from "@artificer/protocol";
import { redactValue } from "../redaction/redact-value.js";

/** Arguments as a person may see them: plain JSON without secrets. */
export function shownArguments(args: Readonly<Record<string, unknown>>, redact: (text: string) => string): JsonValue {
  return valueToJson(redactValue(args as Value, redact));
}

/** What a person sent back, with everything that they left as it was shown put back as it really was: secrets, bytes, dates. */
export function restoreArguments(
  edited: unknown,
  { args, redact }: { args: unknown; redact(text: string): string },
): unknown {
  const shown = valueToJson(redactValue(args as Value, redact));
  if (sameJson(edited, shown)) return args;
  if (Array.isArray(edited) && Array.isArray(args))
    return edited.map((item, at) => (at < args.length ? restoreArguments(item, { args: args[at], redact }) : item));
  if (isPlain(edited) && isPlain(args))
    return Object.fromEntries(
      Object.entries(edited).map(([name, item]) => [
        name,
        Object.hasOwn(args, name) ? restoreArguments(item, { args: args[name], redact }) : item,
      ]),
    );
  return edited;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameJson((a as never)[name], (b as never)[name]))
  );
}
