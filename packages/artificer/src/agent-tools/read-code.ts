import { nearestName } from "@artificer/protocol";

/** The arguments of a call by a model, read with patience: whatever is wrong is said so that the next try can be right. */
export function readCode(
  args: unknown,
  { tool, known }: { tool: string; known: readonly string[] },
): { code: string; given: Record<string, unknown> } | { problem: string } {
  const call = `${tool}({"code": "…"})`;
  if (typeof args !== "object" || args === null || Array.isArray(args))
    return { problem: `${tool} takes an object of arguments, not ${typeName(args)}: ${call}.` };
  const given = args as Record<string, unknown>;
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length > 0 && given.code === undefined) {
    const name = unknown[0]!;
    return {
      problem: `${tool} has no argument '${name}'. Python source goes into 'code': ${call}. A shell command can be run from there by subprocess.`,
    };
  }
  if (unknown.length > 0) {
    const nearest = nearestName(unknown[0]!, known);
    const meant = nearest === undefined ? "" : ` Did you mean '${nearest}'?`;
    return { problem: `${tool} has no argument '${unknown[0]}'.${meant} It takes: ${known.join(", ")}.` };
  }
  const { code } = given;
  if (code !== undefined && code !== null && typeof code !== "string")
    return { problem: `'code' must be Python source as a string, not ${typeName(code)}.` };
  if (typeof code !== "string" || code.trim() === "")
    return { problem: `No code was given: 'code' must hold Python source, as in ${call}.` };
  return { code, given };
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
}
