import { nearestNames } from "@artificer/protocol";
import { ToolError } from "../guest-error.js";

// Names that the language or a printer asks of any object.
const asked = new Set([
  "then",
  "toJSON",
  "constructor",
  "prototype",
  "inspect",
  "nodeType",
  "$$typeof",
  "asymmetricMatch",
]);

/** An object that answers an unknown name with an error that tells the nearest known ones. */
export function withNearest<T extends object>(target: T, fail: (name: string, near: string[]) => Error): T {
  return new Proxy(target, {
    get(object, key, receiver) {
      if (typeof key === "symbol" || key in object || asked.has(key))
        return Reflect.get(object, key, receiver) as unknown;
      throw fail(key, nearestNames(key, Object.keys(object)));
    },
  });
}

/** Names told in one answer. */
const maxNamed = 50;

/** `tool/…` for a name that is not there, with the way to mend it. */
export function unknownTool(code: string, what: string, name: string, near: string[], all: string[]): ToolError {
  const meant = near.length > 0 ? `Did you mean ${near.join(" or ")}? ` : "";
  const rest = all.length > maxNamed ? `, and ${all.length - maxNamed} more: tools.search("…")` : "";
  const hint = `${meant}There are: ${all.slice(0, maxNamed).join(", ") || "none"}${rest}.`;
  return new ToolError({
    code,
    message: `There is no ${what} ${JSON.stringify(name)}.`,
    hint,
    details: { name, near },
  });
}
