import ts from "typescript";

/**
 * The names that each declaration file exports, sorted; a name that exists for types alone is written `type Name`.
 * One program reads them all.
 */
export function exportedNames(files: readonly string[]): Map<string, string[]> {
  const program = ts.createProgram([...files], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    noEmit: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  return new Map(files.map((file) => [file, namesIn(program, checker, file)]));
}

function namesIn(program: ts.Program, checker: ts.TypeChecker, file: string): string[] {
  const source = program.getSourceFile(file);
  if (source === undefined) throw new Error(`${file} isn't there: build first (npm run build)`);
  const module = checker.getSymbolAtLocation(source);
  if (module === undefined) return []; // no import and no export: not a module
  return checker
    .getExportsOfModule(module)
    .map((symbol) => (isValue(checker, symbol) ? symbol.name : `type ${symbol.name}`))
    .sort((a, b) => compare(a.replace(/^type /, ""), b.replace(/^type /, "")));
}

function isValue(checker: ts.TypeChecker, symbol: ts.Symbol): boolean {
  const isTypeOnly = symbol.declarations?.some(ts.isTypeOnlyImportOrExportDeclaration) ?? false;
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return !isTypeOnly && (target.flags & ts.SymbolFlags.Value) !== 0;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
