import type { ToolEntry } from "../tools/tool-entry.js";
import { nameGlob } from "./name-glob.js";

type NamedTool = Pick<ToolEntry, "path" | "aliases">;

/** Whether a tool goes by a name that fits one of the patterns. */
export type ToolMatcher = (tool: NamedTool) => boolean;

/**
 * `strict` compares letter by letter with the tool's own name and the one that cells use: for what grants. Otherwise case makes no difference
 * and every name counts, the flat one of the scripting form too: for what restricts.
 */
export function toolMatcher(patterns: readonly string[], { strict }: { strict: boolean }): ToolMatcher {
  const globs = patterns.map((pattern) => nameGlob(pattern, { loose: !strict }));
  return ({ path, aliases }) =>
    globs.some((glob) => glob.matches(path) || (strict ? aliases.dotted : aliases.all).some(glob.matches));
}

/** The value of the first pattern that a tool matches. */
export function toolValue<T>(table: Readonly<Record<string, T>> | undefined): (tool: NamedTool) => T | undefined {
  const entries = Object.entries(table ?? {}).map(
    ([pattern, value]) => [toolMatcher([pattern], { strict: true }), value] as const,
  );
  return (tool) => entries.find(([matches]) => matches(tool))?.[1];
}
