import { inspect } from "node:util";
import type { CellError } from "@artificer/protocol";

const longestTraceback = 200_000;

/** What went wrong in user's code, as the wire carries it. */
export function describeError(
  error: unknown,
  cell: number,
  names: () => { known: string[]; near: (name: string) => string[] },
): CellError {
  if (!isError(error)) {
    const shown = safely(() => inspect(error, { depth: 2 })) ?? "a value that can't be shown";
    return { type: typeof error, message: shown, traceback: `Uncaught ${shown}` };
  }
  const type = safely(() => String(error.name || error.constructor.name)) ?? "Error";
  const message = (safely(() => String(error.message)) ?? "") + suggestion(error, names);
  const stack = safely(() => inspect(error, { depth: 3, breakLength: 120 })) ?? `${type}: ${message}`;
  const help = suggestion(error, names);
  const line = safely(() => String(error.stack))?.match(new RegExp(`\\bcell ${cell}:(\\d+):\\d+`))?.[1];
  const { code } = error as { code?: unknown };
  return {
    type,
    message,
    // An error without frames is printed in brackets.
    traceback: (stack.replace(/^\[([^\]]*)\](?=$| \{)/, "$1") + (help === "" ? "" : `\n${help.slice(2)}`)).slice(
      0,
      longestTraceback,
    ),
    ...(line === undefined ? {} : { line: Number(line) }),
    ...(typeof code === "string" && code.includes("/") ? { code } : {}),
  };
}

/** For an unknown name: the nearest known ones. */
function suggestion(error: Error, names: () => { known: string[]; near: (name: string) => string[] }): string {
  if (!(error instanceof ReferenceError)) return "";
  const name = /^([\w$]+) is not defined$/.exec(error.message)?.[1];
  if (name === undefined) return "";
  const { known, near } = names();
  const close = near(name);
  if (close.length > 0) return `. Did you mean ${close.join(", ")}?`;
  return known.length > 0 ? `. Names there are: ${known.slice(0, 30).join(", ")}.` : "";
}

export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
}

/** User's getters and proxies may throw. */
function safely<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
