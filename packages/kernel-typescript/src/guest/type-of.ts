/** The name of a value's type, as a reader would say it. */
export function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "object" && typeof value !== "function") return typeof value;
  try {
    if (typeof value === "function")
      return /^class\b/.test(Function.prototype.toString.call(value)) ? "class" : "function";
    return (value.constructor as { name?: string } | undefined)?.name || "Object";
  } catch {
    return typeof value;
  }
}
