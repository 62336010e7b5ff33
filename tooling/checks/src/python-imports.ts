import type { ModuleImport } from "./module-imports.js";

/**
 * Every module that Python source imports, relative ones left out. Strings in triple quotes are skipped: what is
 * written there is documentation or the text of another program.
 */
export function pythonImports(source: string): ModuleImport[] {
  const code = source.replace(/(?:"""[\s\S]*?"""|'''[\s\S]*?''')/g, (text) => text.replace(/[^\n]/g, " "));
  return code.split("\n").flatMap((text, index) => namesIn(text).map((specifier) => ({ specifier, line: index + 1 })));
}

function namesIn(line: string): string[] {
  const from = /^\s*from\s+([A-Za-z_][\w.]*)\s+import\b/.exec(line)?.[1];
  if (from !== undefined) return [from];
  const list =
    /(?:^|;|:)\s*import\s+([A-Za-z_][\w.]*(?:\s+as\s+\w+)?(?:\s*,\s*[A-Za-z_][\w.]*(?:\s+as\s+\w+)?)*)\s*(?:#.*|;.*)?$/.exec(
      line,
    )?.[1];
  return list?.split(",").map((name) => name.trim().split(/\s/)[0] ?? "") ?? [];
}
