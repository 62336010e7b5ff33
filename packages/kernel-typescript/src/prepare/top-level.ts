import type { CellHeader } from "./cell-header.js";
import type { Edits } from "./edits.js";
import { bridgeName } from "./emit-constructs.js";
import type { Visit } from "./erase-types.js";
import { childrenOf, isNode, namesOfPattern, type SourceNode } from "./parse-source.js";

/** What the walk over a cell gathers. Offsets are those of the source. */
export interface TopLevel {
  names: Set<string>;
  vars: Set<string>;
  functions: Map<string, SourceNode>;
  returns: boolean;
}

/**
 * Makes every top-level binding of a cell one that a later cell may declare again as anything else: V8's REPL mode lets
 * `let` and `class` be redeclared, but not a `const` as a `let`, nor a `var` or function as either.
 */
export function topLevelVisitor(edits: Edits, found: TopLevel): Visit {
  return (node, parent, inside) => {
    if (inside) return false;
    const above = parent === undefined || parent.type.startsWith("Export");
    switch (node.type) {
      case "VariableDeclaration":
        if (node.kind === "var") rewriteVar(node, parent, edits, found);
        else if (above) declareLexical(node, edits, found);
        return false;
      case "FunctionDeclaration":
        if (isNode(node.id)) liftFunction(node, above, edits, found);
        return false;
      case "ClassDeclaration":
      case "TSEnumDeclaration":
      case "TSModuleDeclaration":
        if (above) for (const name of namesOfPattern(node.id)) found.names.add(name);
        return false;
      case "AssignmentExpression":
        for (const name of namesOfPattern(node.left)) found.names.add(name);
        return false;
      case "UpdateExpression":
        for (const name of namesOfPattern(node.argument)) found.names.add(name);
        return false;
      case "ReturnStatement":
        found.returns = true;
        rewriteReturn(node, edits);
        return false;
      case "TryStatement":
        if (isNode(node.handler) && returns(node.block as SourceNode)) letReturnsPass(node.handler, edits);
        return false;
      default:
        return false;
    }
  };
}

function declareLexical(node: SourceNode, edits: Edits, found: TopLevel): void {
  if (node.kind === "const") edits.replace(node.start, node.start + 5, "let  ");
  for (const one of node.declarations as SourceNode[]) for (const name of namesOfPattern(one.id)) found.names.add(name);
}

/** `var x = 1` becomes an assignment; the kernel declares `x` before, unless there is one already. */
function rewriteVar(node: SourceNode, parent: SourceNode | undefined, edits: Edits, found: TopLevel): void {
  const declarations = node.declarations as SourceNode[];
  for (const one of declarations) {
    for (const name of namesOfPattern(one.id)) {
      found.names.add(name);
      found.vars.add(name);
    }
  }
  const head = parent?.type.startsWith("For") === true && parent.body !== node;
  const patterns = declarations.some((one) => (one.id as SourceNode).type !== "Identifier");
  if (head || !patterns) {
    edits.blank(node.start, node.start + 3);
    return;
  }
  edits.replace(node.start, node.start + 3, " ;(");
  edits.insert(declarations.at(-1)!.end, ")");
}

/** A function is bound by `let`: hoisted by the kernel when it is at the top, in its place when it is in a block. */
function liftFunction(node: SourceNode, above: boolean, edits: Edits, found: TopLevel): void {
  const id = node.id as SourceNode;
  const name = id.name as string;
  edits.blank(id.start, id.start + name.length);
  if (above) {
    found.names.add(name);
    found.functions.set(name, node);
    return;
  }
  edits.insert(node.start, `let ${name}=`);
  edits.insert(node.end, ";");
}

function rewriteReturn(node: SourceNode, edits: Edits): void {
  const argument = node.argument;
  edits.replace(node.start, node.start + 6, `throw ${bridgeName}.give(`);
  edits.insert(isNode(argument) ? argument.end : node.start + 6, ")");
}

/** A `catch` around a top-level `return` must not catch it. */
function letReturnsPass(handler: SourceNode, edits: Edits): void {
  const body = handler.body as SourceNode;
  const parameter = handler.param;
  if (!isNode(parameter)) {
    edits.insert(body.start, "($e$)");
    edits.insert(body.start + 1, `${bridgeName}.pass($e$);`);
  } else if (parameter.type === "Identifier") {
    edits.insert(body.start + 1, `${bridgeName}.pass(${parameter.name as string});`);
  } else {
    const pattern = edits.source.slice(parameter.start, parameter.end);
    edits.replace(parameter.start, parameter.end, "$e$");
    edits.insert(body.start + 1, `${bridgeName}.pass($e$);let ${pattern.replace(/\n/g, " ")}=$e$;`);
  }
}

function returns(node: SourceNode): boolean {
  if (node.type === "ReturnStatement") return true;
  if (/Function|^Class/.test(node.type)) return false;
  return childrenOf(node).some(returns);
}

/** True when running the statement last gives the cell its value. */
export function isValued(statement: SourceNode | undefined, found: TopLevel): CellHeader["valued"] {
  if (found.returns) return true;
  if (statement?.type === "ExportDefaultDeclaration")
    return !/Declaration$/.test((statement.declaration as SourceNode).type);
  return statement?.type === "ExpressionStatement";
}
