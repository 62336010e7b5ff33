import type ts from "typescript";
import type { KnownName, NameKind } from "./checker-messages.js";

/** A cell as a module of its own, with what it is read against before it and its exports behind it. */
export interface CellText {
  text: string;
  /** Where the user's own text is. */
  start: number;
  end: number;
  declared: { name: string; kind: NameKind }[];
}

/** Puts a cell between what it may use and what it declares, moving none of its characters against each other. */
export function cellText(
  compiler: typeof ts,
  code: string,
  known: readonly KnownName[],
  assigned: readonly string[],
): CellText {
  const literal = /^\s*\{/.test(code) && /\}\s*$/.test(code) && parses(compiler, `(${code})`);
  const parsed = compiler.createSourceFile("cell.ts", literal ? `(${code})` : code, compiler.ScriptTarget.Latest, true);
  const found = topLevel(compiler, parsed);
  const own = new Set(found.declared.keys());
  const earlier = known.filter(({ name }) => !own.has(name));
  const names = new Set(earlier.map(({ name }) => name));
  const history = code.match(/(?<![\w$.])_\d+(?![\w$])/g) ?? [];
  const loose = [...new Set([...assigned, ...history])].filter((name) => !own.has(name) && !names.has(name));
  const before = [...earlier.map(declareKnown), ...loose.map((name) => `declare let ${name}: any;`), "export {};\n"];
  const head = `${before.join("\n")}${literal ? "(" : ""}`;
  const exported = [...own].filter((name) => !found.exported.has(name));
  const tail = `${literal ? ")" : ""}\n;export { ${exported.join(", ")} };\n`;
  const body = found.returns.reduce(
    // A return outside a function is an error, and nothing behind it is read; this has as many characters.
    (text, at) => `${text.slice(0, at)}throw ${text.slice(at + 6)}`,
    code,
  );
  return {
    text: `${head}${body}${tail}`,
    start: head.length,
    end: head.length + code.length,
    declared: Array.from(found.declared, ([name, kind]) => ({ name, kind })),
  };
}

function declareKnown({ name, module, kind }: KnownName): string {
  if (module === undefined) return `declare let ${name}: any;`;
  if (kind === "variable") return `declare let ${name}: typeof import("./${module}").${name};`;
  return `import { ${name} } from "./${module}";`;
}

function parses(compiler: typeof ts, text: string): boolean {
  const { parseDiagnostics } = compiler.createSourceFile(
    "cell.ts",
    text,
    compiler.ScriptTarget.Latest,
  ) as ts.SourceFile & {
    parseDiagnostics?: readonly unknown[];
  };
  return (parseDiagnostics?.length ?? 0) === 0;
}

interface Found {
  declared: Map<string, NameKind>;
  exported: Set<string>;
  /** Where the returns with a value are. */
  returns: number[];
}

function topLevel(compiler: typeof ts, file: ts.SourceFile): Found {
  const found: Found = { declared: new Map(), exported: new Set(), returns: [] };
  const bind = (name: ts.BindingName, kind: NameKind, isExported: boolean): void => {
    if (compiler.isIdentifier(name)) {
      if (name.text === "") return;
      found.declared.set(name.text, kind);
      if (isExported) found.exported.add(name.text);
      return;
    }
    for (const element of name.elements) {
      if (compiler.isBindingElement(element)) bind(element.name, kind, isExported);
    }
  };
  const walk = (node: ts.Node, top: boolean): void => {
    if (compiler.isReturnStatement(node)) {
      if (node.expression !== undefined) found.returns.push(node.getStart(file));
    } else if (compiler.isVariableDeclarationList(node)) {
      const lexical = (node.flags & compiler.NodeFlags.BlockScoped) !== 0;
      const isExported = isExportedStatement(compiler, node.parent);
      const here = top || compiler.isVariableStatement(node.parent) ? isTop(node.parent.parent, file) : false;
      if (!lexical || here) for (const one of node.declarations) bind(one.name, "variable", isExported);
    } else if (top) statement(compiler, node, bind, found);
    if (compiler.isFunctionLike(node) || compiler.isClassLike(node)) return;
    node.forEachChild((child) => walk(child, false));
  };
  file.forEachChild((child) => walk(child, true));
  return found;
}

function isTop(node: ts.Node | undefined, file: ts.SourceFile): boolean {
  return node === file;
}

function isExportedStatement(compiler: typeof ts, node: ts.Node): boolean {
  if (!compiler.canHaveModifiers(node)) return false;
  return compiler.getModifiers(node)?.some(({ kind }) => kind === compiler.SyntaxKind.ExportKeyword) ?? false;
}

function statement(
  compiler: typeof ts,
  node: ts.Node,
  bind: (name: ts.BindingName, kind: NameKind, isExported: boolean) => void,
  found: Found,
): void {
  const isExported = isExportedStatement(compiler, node);
  if (compiler.isFunctionDeclaration(node)) {
    if (node.name !== undefined) bind(node.name, "variable", isExported);
  } else if (
    compiler.isClassDeclaration(node) ||
    compiler.isInterfaceDeclaration(node) ||
    compiler.isTypeAliasDeclaration(node) ||
    compiler.isEnumDeclaration(node) ||
    compiler.isImportEqualsDeclaration(node)
  ) {
    if (node.name !== undefined) bind(node.name, "imported", isExported);
  } else if (compiler.isModuleDeclaration(node)) {
    if (compiler.isIdentifier(node.name)) bind(node.name, "imported", isExported);
  } else if (compiler.isImportDeclaration(node)) {
    const { importClause } = node;
    if (importClause?.name !== undefined) bind(importClause.name, "imported", false);
    const named = importClause?.namedBindings;
    if (named !== undefined && compiler.isNamespaceImport(named)) bind(named.name, "imported", false);
    else if (named !== undefined) for (const one of named.elements) bind(one.name, "imported", false);
  } else if (compiler.isExportDeclaration(node) && node.exportClause !== undefined) {
    if (compiler.isNamedExports(node.exportClause))
      for (const one of node.exportClause.elements) found.exported.add(one.name.text);
  }
}
