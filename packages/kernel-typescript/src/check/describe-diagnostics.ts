import { type CodeProblem, nearestNames } from "@artificer/protocol";
import type ts from "typescript";
import type { CellText } from "./cell-text.js";

/**
 * What the compiler holds against a module and not against a cell: a `return` outside a function, an assignment to a binding of an
 * earlier cell, a variable that it can't see being assigned, and packages that it can't see: the kernel may.
 */
const allowed = new Set([1108, 2454, 2632, 2306, 2307, 2792, 2834, 2835, 5097, 7016]);
const maxProblems = 20;
const maxMessageChars = 400;

/** The compiler's findings in the user's own lines and columns, each with the nearest names where a name is wrong. */
export function describeDiagnostics(
  compiler: typeof ts,
  program: ts.Program,
  facts: { path: string; cell: CellText; code: string; found: readonly ts.Diagnostic[] },
): CodeProblem[] {
  const { path, cell, code, found } = facts;
  const problems: CodeProblem[] = [];
  for (const one of found) {
    if (one.category !== compiler.DiagnosticCategory.Error || allowed.has(one.code)) continue;
    if (one.start === undefined || one.start < cell.start || one.start > cell.end) continue;
    if (problems.length === maxProblems) break;
    const offset = one.start - cell.start;
    const before = code.slice(0, offset).split("\n");
    problems.push({
      line: before.length,
      column: before.at(-1)!.length + 1,
      code: `TS${one.code}`,
      message: message(compiler, one, program, path),
    });
  }
  return problems.sort((a, b) => a.line - b.line || a.column - b.column);
}

function message(compiler: typeof ts, one: ts.Diagnostic, program: ts.Program, path: string): string {
  const text = compiler
    .flattenDiagnosticMessageText(one.messageText, "\n")
    .replace(/\n\s*/g, " ")
    .replace(/import\("[^"]*"\)\./g, "")
    .replace(/\bToolkit_(\w+)/g, "tools.$1");
  const short = text.length > maxMessageChars ? `${text.slice(0, maxMessageChars - 1)}…` : text;
  if (/Did you mean|did you mean/.test(text)) return short;
  const near = nearest(compiler, one, program, path);
  return near.length === 0 ? short : `${short} Nearest: ${near.join(", ")}.`;
}

/** For a name that is not there: those that are, and look like it. */
function nearest(compiler: typeof ts, one: ts.Diagnostic, program: ts.Program, path: string): string[] {
  const file = program.getSourceFile(path);
  if (file === undefined || one.start === undefined) return [];
  const checker = program.getTypeChecker();
  const node = nodeAt(file, one.start);
  if (node === undefined || !compiler.isIdentifier(node)) return [];
  if (one.code === 2304 || one.code === 2552) {
    const meaning = compiler.SymbolFlags.Value | compiler.SymbolFlags.Type | compiler.SymbolFlags.Alias;
    return nearestNames(
      node.text,
      checker.getSymbolsInScope(node, meaning).map(({ name }) => name),
    );
  }
  if (one.code === 2339 && compiler.isPropertyAccessExpression(node.parent)) {
    const type = checker.getApparentType(checker.getTypeAtLocation(node.parent.expression));
    const names = type.getProperties().map(({ name }) => name);
    const near = nearestNames(node.text, names);
    return near.length > 0 || names.length > 12 ? near : names;
  }
  if (one.code === 2305 && compiler.isImportSpecifier(node.parent)) {
    const module = checker.getSymbolAtLocation(node.parent.parent.parent.parent.moduleSpecifier);
    if (module !== undefined)
      return nearestNames(
        node.text,
        checker.getExportsOfModule(module).map(({ name }) => name),
      );
  }
  return [];
}

function nodeAt(file: ts.SourceFile, start: number): ts.Node | undefined {
  let found: ts.Node | undefined;
  const walk = (node: ts.Node): void => {
    if (start < node.getStart(file) || start >= node.end) return;
    found = node;
    node.forEachChild(walk);
  };
  file.forEachChild(walk);
  return found;
}
