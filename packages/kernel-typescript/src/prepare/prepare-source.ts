import type { CellHeader, CellImport, ColumnShift } from "./cell-header.js";
import { Edits } from "./edits.js";
import { bridgeName } from "./emit-constructs.js";
import { eraseTypes, isTypeStatement, type Visit } from "./erase-types.js";
import { isNode, type ParsedSource, parseSource, problemAt, type SourceNode } from "./parse-source.js";
import { SourceError } from "./source-error.js";
import { isValued, type TopLevel, topLevelVisitor } from "./top-level.js";

/** Plain JavaScript in the places of the TypeScript it was, and what the kernel has to know about it. */
export interface PreparedSource {
  header: CellHeader;
  body: string;
}

/** Strips types, takes imports and exports out, and, for a cell, makes its bindings redeclarable. Runs nothing. */
export function prepareSource(code: string, kind: "cell" | "skill"): PreparedSource {
  const literal = kind === "cell" ? parseObjectLiteral(code) : undefined;
  const source = literal === undefined ? code : `(${code})`;
  const parsed = literal ?? parseSource(code);
  if (parsed.problem !== undefined) return { header: { problem: parsed.problem }, body: "" };
  try {
    return rewrite(source, parsed, kind, literal === undefined ? [] : [{ line: 1, column: 2, by: 1 }]);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { header: { problem: problemAt(source, error.offset, error.message, error.hint) }, body: "" };
  }
}

/** `{a: 1}` is an object to whoever writes it as a cell, though the grammar reads a block. */
function parseObjectLiteral(code: string): ParsedSource | undefined {
  if (!/^\s*\{/.test(code) || !/\}\s*$/.test(code)) return undefined;
  const parsed = parseSource(`(${code})`);
  return parsed.problem === undefined && parsed.body.length === 1 ? parsed : undefined;
}

function rewrite(source: string, parsed: ParsedSource, kind: "cell" | "skill", shifts: ColumnShift[]): PreparedSource {
  const edits = new Edits(source);
  const found: TopLevel = { names: new Set(), vars: new Set(), functions: new Map(), returns: false };
  const imports: SourceNode[] = [];
  const referenced = new Set<string>();
  const atTop = kind === "cell" ? topLevelVisitor(edits, found) : () => false;
  const visit: Visit = (node, parent, inside) => {
    if (node.type === "ImportDeclaration") {
      imports.push(node);
      edits.blank(node.start, node.end, ";");
      return true;
    }
    if (node.type === "Identifier") referenced.add(node.name as string);
    if (node.type === "TSImportEqualsDeclaration") found.names.add((node.id as SourceNode).name as string);
    rewriteImports(node, edits);
    return takeExport(node, edits) || atTop(node, parent, inside);
  };
  for (const statement of parsed.body) eraseTypes(statement, edits, visit);

  const { text, place } = edits.apply(shifts);
  const header: CellHeader = {};
  const carried = imports.map((node) => cellImport(node, referenced, source));
  if (carried.length > 0) header.imports = carried;
  for (const one of carried) for (const [, local] of one.names) found.names.add(local);
  if (found.vars.size > 0) header.vars = [...found.vars];
  if (found.functions.size > 0) {
    header.hoisted = Array.from(found.functions, ([name, node]) => [place(node.start), place(node.end - 1) + 1, name]);
  }
  if (kind === "cell") {
    header.names = [...found.names];
    header.valued = isValued(parsed.body.filter((one) => !isTypeStatement(one)).at(-1), found);
  }
  if (shifts.length > 0) header.shifts = shifts;
  return { header, body: text };
}

function rewriteImports(node: SourceNode, edits: Edits): void {
  // The bridge's name is as long as the keyword, so nothing moves.
  if (node.type === "ImportExpression") edits.replace(node.start, node.start + 6, bridgeName);
  if (node.type === "MetaProperty" && (node.meta as SourceNode).name === "import") {
    edits.replace(node.start, node.start + 6, bridgeName);
  }
  if (node.type === "TSImportEqualsDeclaration") {
    const reference = node.moduleReference as SourceNode;
    edits.replace(node.start, node.start + 6, "let   ");
    if (reference.type === "TSExternalModuleReference") node.moduleReference = null;
  }
}

/** Exports of a cell are its bindings; `export … from` has no one to export to. */
function takeExport(node: SourceNode, edits: Edits): boolean {
  if (node.type === "ExportAllDeclaration" || (node.type === "ExportNamedDeclaration" && isNode(node.source))) {
    throw new SourceError("`export … from` is not supported here.", node.start, "Import what you need instead.");
  }
  if (node.type === "ExportNamedDeclaration") {
    if (isNode(node.declaration)) edits.blank(node.start, node.declaration.start);
    else edits.blank(node.start, node.end, ";");
    return !isNode(node.declaration);
  }
  if (node.type === "ExportDefaultDeclaration") {
    const declaration = node.declaration as SourceNode;
    edits.blank(node.start, declaration.start, ";");
    if (/Declaration$/.test(declaration.type) && !isNode(declaration.id)) {
      edits.insert(declaration.start, "(");
      edits.insert(declaration.end, ")");
    }
  }
  return false;
}

function cellImport(node: SourceNode, referenced: Set<string>, source: string): CellImport {
  const names: CellImport["names"] = [];
  for (const specifier of (node.specifiers as SourceNode[] | undefined) ?? []) {
    if (specifier.importKind === "type") continue;
    const local = (specifier.local as SourceNode).name as string;
    const imported = specifier.imported as SourceNode | undefined;
    const name =
      specifier.type === "ImportDefaultSpecifier"
        ? "default"
        : specifier.type === "ImportNamespaceSpecifier"
          ? "*"
          : String(imported?.name ?? imported?.value);
    names.push([name, local, referenced.has(local)]);
  }
  const line = source.slice(0, node.start).split("\n").length;
  return { from: (node.source as SourceNode).value as string, line, names };
}
