import type { SourceAnalysis } from "@artificer/protocol";
import { childrenOf, isNode, parseSource, type SourceNode } from "../prepare/parse-source.js";
import { findEntry } from "./entry-function.js";
import { entryParameters } from "./entry-parameters.js";

const skillMethods = new Set(["list", "search", "get", "create", "delete", "invoke"]);

/**
 * Reads a TypeScript skill without running it: its entry point with parameters and types as written, the modules it imports,
 * the tools and skills it names.
 */
export function analyzeTypescript(source: string, options: { entry?: string } = {}): SourceAnalysis {
  const parsed = parseSource(source);
  const uses = { imports: new Set<string>(), tools: new Set<string>(), skills: new Set<string>() };
  for (const statement of parsed.body) collectUses(statement, uses);
  const analysis: SourceAnalysis = { imports: [...uses.imports], tools: [...uses.tools], skills: [...uses.skills] };
  if (parsed.problem !== undefined) {
    const { message, line, column } = parsed.problem;
    return { ...analysis, syntaxError: { message, line, column } };
  }
  const entry = findEntry(parsed.body, options.entry ?? "run");
  if (entry === undefined) return analysis;
  const { parameters } = entryParameters(entry.function, parsed.body, source);
  const returns = entry.function.returnType;
  const type = isNode(returns) ? (returns.typeAnnotation as SourceNode) : undefined;
  const doc = docBefore(entry.statement, parsed.comments, source);
  return {
    ...analysis,
    entry: {
      parameters,
      ...(type === undefined ? {} : { returns: source.slice(type.start, type.end) }),
      ...(doc === undefined ? {} : { doc }),
      async: entry.function.async === true,
      line: source.slice(0, entry.statement.start).split("\n").length,
    },
  };
}

function collectUses(node: SourceNode, uses: { imports: Set<string>; tools: Set<string>; skills: Set<string> }): void {
  if (isNode(node.source) && node.source.type === "Literal") uses.imports.add(String(node.source.value));
  if (node.type === "CallExpression") {
    const path = memberPath(node.callee as SourceNode);
    const [literal] = node.arguments as (SourceNode | undefined)[];
    const name = literal?.type === "Literal" && typeof literal.value === "string" ? literal.value : undefined;
    if (path[0] === "require" && path.length === 1 && name !== undefined) uses.imports.add(name);
    if (path[0] === "tools" && path.length === 3) uses.tools.add(`${path[1]}.${path[2]}`);
    if (path[0] === "skills" && path.length === 2) {
      if (path[1] === "invoke" && name !== undefined) uses.skills.add(name);
      else if (!skillMethods.has(path[1]!)) uses.skills.add(path[1]!);
    }
  }
  for (const child of childrenOf(node)) collectUses(child, uses);
}

/** `tools.a["b"]` as `["tools", "a", "b"]`; empty for anything that is not named literally. */
function memberPath(node: SourceNode): string[] {
  if (node.type === "Identifier") return [node.name as string];
  if (node.type !== "MemberExpression") return [];
  const base = memberPath(node.object as SourceNode);
  const property = node.property as SourceNode;
  const step = node.computed === true ? property.value : property.name;
  return base.length === 0 || typeof step !== "string" ? [] : [...base, step];
}

function docBefore(
  statement: SourceNode,
  comments: { type: string; value: string; start: number; end: number }[],
  source: string,
): string | undefined {
  const comment = comments.findLast((one) => one.end <= statement.start && one.type === "Block");
  if (comment === undefined || !comment.value.startsWith("*")) return undefined;
  if (source.slice(comment.end, statement.start).trim() !== "") return undefined;
  const text = comment.value
    .slice(1)
    .replace(/^[ \t]*\* ?/gm, "")
    .trim();
  return text === "" ? undefined : text;
}
