import ts from "typescript";

/** One import of a module: static, `export ... from`, dynamic or `require`. */
export interface ModuleImport {
  specifier: string;
  line: number;
}

/** Every module that TypeScript or JavaScript source imports, read by TypeScript's own scanner. */
export function moduleImports(source: string): ModuleImport[] {
  const { importedFiles } = ts.preProcessFile(source, true, true);
  return importedFiles.map(({ fileName, pos }) => ({ specifier: fileName, line: lineAt(source, pos) }));
}

/** The package that a specifier names: `@scope/name/sub` gives `@scope/name`; undefined for a relative path. */
export function packageOf(specifier: string): string | undefined {
  if (specifier.startsWith(".") || specifier.startsWith("/")) return undefined;
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : parts[0];
}

function lineAt(source: string, position: number): number {
  return source.slice(0, position).split("\n").length;
}
