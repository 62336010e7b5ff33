import type { Edits } from "./edits.js";
import { parameterProperties, rewriteEnum, rewriteNamespace } from "./emit-constructs.js";
import { childrenOf, isNode, type SourceNode } from "./parse-source.js";
import { SourceError } from "./source-error.js";

const typeOnly = new Set([
  "TSTypeAnnotation",
  "TSTypeParameterDeclaration",
  "TSTypeParameterInstantiation",
  "TSIndexSignature",
  "TSAbstractMethodDefinition",
  "TSAbstractPropertyDefinition",
  "TSAbstractAccessorProperty",
]);
const typeStatements = new Set([
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
  "TSDeclareFunction",
  "TSNamespaceExportDeclaration",
]);

/**
 * Removes what is TypeScript from below a node, types by spaces in their place. `visit` is called for every node that
 * stays, before its children; returning true keeps the walk out of it.
 */
export function eraseTypes(node: SourceNode, edits: Edits, visit: Visit, parent?: SourceNode, inside = false): void {
  const statement = isTypeStatement(node);
  if (statement || typeOnly.has(node.type)) {
    edits.blank(node.start, node.end, statement ? ";" : "");
    return;
  }
  if (visit(node, parent, inside)) return;
  eraseOwn(node, edits);
  const deeper = inside || closed.test(node.type);
  for (const child of childrenOf(node)) eraseTypes(child, edits, visit, node, deeper);
}

/** Told of every node that stays, its parent, and whether it is inside a function, class or namespace; true keeps the walk out. */
export type Visit = (node: SourceNode, parent: SourceNode | undefined, inside: boolean) => boolean;

const closed = /Function|^Class|^StaticBlock|^TSModuleDeclaration/;

/** True for statements that leave nothing behind when types are gone. */
export function isTypeStatement(node: SourceNode): boolean {
  if (typeStatements.has(node.type)) return true;
  if (node.declare === true && node.type !== "PropertyDefinition") return true;
  if (node.type === "ImportDeclaration") return node.importKind === "type";
  if (node.type === "TSImportEqualsDeclaration") return node.importKind === "type";
  if (node.type === "ExportNamedDeclaration" || node.type === "ExportDefaultDeclaration") {
    return node.exportKind === "type" || (isNode(node.declaration) && isTypeStatement(node.declaration));
  }
  return false;
}

function eraseOwn(node: SourceNode, edits: Edits): void {
  const decorators = node.decorators as SourceNode[] | undefined;
  if (decorators !== undefined && decorators.length > 0) {
    throw new SourceError(
      "Decorators are not supported in cells.",
      decorators[0]!.start,
      "Call the decorator as a function on the class instead.",
    );
  }
  switch (node.type) {
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSInstantiationExpression":
    case "TSNonNullExpression":
      eraseTail(node, edits);
      return;
    case "TSTypeAssertion":
      edits.blank(node.start, (node.expression as SourceNode).start);
      return;
    case "Identifier":
      eraseIdentifier(node, edits);
      return;
    case "ObjectPattern":
    case "ArrayPattern":
      if (node.optional === true && isNode(node.typeAnnotation)) {
        const at = edits.source.lastIndexOf("?", node.typeAnnotation.start);
        edits.blank(at, at + 1);
      }
      return;
    case "ArrowFunctionExpression":
      eraseArrow(node, edits);
      return;
    case "FunctionDeclaration":
    case "FunctionExpression":
      eraseThis(node, edits);
      return;
    case "ClassDeclaration":
    case "ClassExpression":
      eraseClassHead(node, edits);
      return;
    case "MethodDefinition":
    case "PropertyDefinition":
    case "AccessorProperty":
      eraseMember(node, edits);
      return;
    case "TSEnumDeclaration":
      rewriteEnum(node, edits);
      return;
    case "TSModuleDeclaration":
      rewriteNamespace(node, edits);
      return;
    case "TSExportAssignment":
      throw new SourceError("`export =` is not supported in cells.", node.start, "Use `export` or leave it out.");
  }
}

function eraseTail(node: SourceNode, edits: Edits): void {
  const from = (node.expression as SourceNode).end;
  // Once the type is gone, a line that begins with one of these would be taken for the rest of the expression.
  const next = /^[ \t]*[\r\n]\s*([([`+\-/])/.test(edits.source.slice(node.end));
  edits.blank(from, next ? node.end - 1 : node.end);
  if (next) edits.replace(node.end - 1, node.end, ";");
}

function eraseIdentifier(node: SourceNode, edits: Edits): void {
  if (!isNode(node.typeAnnotation) && node.optional !== true) return;
  edits.blank(node.start + (node.name as string).length, node.end);
  node.typeAnnotation = null;
}

/** A line end between `)` and `=>` is an error, so the parenthesis moves to the end of a return type of several lines. */
function eraseArrow(node: SourceNode, edits: Edits): void {
  const type = node.returnType;
  if (!isNode(type) || !edits.source.slice(type.start, type.end).includes("\n")) return;
  const close = edits.source.lastIndexOf(")", type.start);
  edits.replace(close, close + 1, " ");
  edits.blank(type.start, type.end - 1);
  edits.replace(type.end - 1, type.end, ")");
  node.returnType = null;
}

function eraseThis(node: SourceNode, edits: Edits): void {
  const params = node.params as SourceNode[];
  const first = params[0];
  if (first?.type !== "Identifier" || first.name !== "this") return;
  const comma = params.length > 1 ? edits.source.indexOf(",", first.end) + 1 : first.end;
  edits.blank(first.start, comma);
  node.params = params.slice(1);
}

function eraseClassHead(node: SourceNode, edits: Edits): void {
  if (node.abstract === true) {
    const at = edits.source.indexOf("abstract", node.start);
    edits.blank(at, at + "abstract".length);
  }
  const contracts = (node.implements as SourceNode[] | undefined) ?? [];
  if (contracts.length === 0) return;
  edits.blank(edits.source.lastIndexOf("implements", contracts[0]!.start), contracts.at(-1)!.end);
  node.implements = [];
}

const modifiers = /\b(?:public|private|protected|readonly|override|abstract|declare)\b/g;

function eraseMember(node: SourceNode, edits: Edits): void {
  const value = node.value as SourceNode | null;
  if (node.declare === true || value?.type === "TSEmptyBodyFunctionExpression") {
    edits.blank(node.start, node.end);
    node.key = node.value = node.typeAnnotation = null;
    return;
  }
  if (node.kind === "constructor") parameterProperties(node, edits);
  const key = node.key as SourceNode;
  const head = edits.source.slice(node.start, key.start);
  for (const match of head.matchAll(modifiers)) {
    edits.blank(node.start + match.index, node.start + match.index + match[0].length);
  }
  if (node.optional !== true && node.definite !== true) return;
  const at = edits.source.slice(key.end).search(/[?!]/) + key.end;
  edits.blank(at, at + 1);
}
