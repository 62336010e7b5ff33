import { parseSync } from "oxc-parser";
import type { SourceProblem } from "./cell-header.js";

/** A node of the syntax tree, read by its `type`; the parser's own union would need a cast at every turn all the same. */
export interface SourceNode {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/** A parsed source, or why it does not parse. */
export interface ParsedSource {
  body: SourceNode[];
  comments: { type: string; value: string; start: number; end: number }[];
  problem?: SourceProblem;
}

// Cells may return at the top level; the parser reports it and goes on.
const tolerated = /^A 'return' statement can only be used/;

/** Reads TypeScript without running it and without moving anything. */
export function parseSource(code: string): ParsedSource {
  const result = parseSync("cell.ts", code, { lang: "ts", sourceType: "module" });
  const error = result.errors.find((found) => found.severity === "Error" && !tolerated.test(found.message));
  const parsed: ParsedSource = {
    body: result.program.body as unknown as SourceNode[],
    // The parser makes them when they are asked for.
    get comments() {
      return result.comments;
    },
  };
  if (error === undefined) return parsed;
  const offset = error.labels[0]?.start ?? 0;
  const message = error.message.replace(/`EOF`/g, "the end of the cell");
  return Object.assign(parsed, { problem: problemAt(code, offset, message, error.helpMessage ?? undefined) });
}

/** A problem at an offset of the source, by line and column. */
export function problemAt(code: string, offset: number, message: string, hint?: string): SourceProblem {
  const before = code.slice(0, offset);
  const line = before.split("\n").length;
  const column = offset - (before.lastIndexOf("\n") + 1) + 1;
  return { message, line, column, ...(hint === undefined ? {} : { hint }) };
}

/** True for what looks like a node of the tree. */
export function isNode(value: unknown): value is SourceNode {
  return typeof value === "object" && value !== null && typeof (value as SourceNode).type === "string";
}

/** The children of a node in the order of the source's fields. */
export function childrenOf(node: SourceNode): SourceNode[] {
  const children: SourceNode[] = [];
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) children.push(item);
    } else if (isNode(value)) children.push(value);
  }
  return children;
}

/** The names that a binding pattern binds. */
export function namesOfPattern(pattern: unknown): string[] {
  if (!isNode(pattern)) return [];
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name as string];
    case "ObjectPattern":
      return (pattern.properties as SourceNode[]).flatMap((property) =>
        namesOfPattern(property.type === "RestElement" ? property.argument : property.value),
      );
    case "ArrayPattern":
      return (pattern.elements as unknown[]).flatMap(namesOfPattern);
    case "AssignmentPattern":
      return namesOfPattern(pattern.left);
    case "RestElement":
      return namesOfPattern(pattern.argument);
    case "TSParameterProperty":
      return namesOfPattern(pattern.parameter);
    default:
      return [];
  }
}
