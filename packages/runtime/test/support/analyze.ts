import type { Language, SourceAnalysis, SourceParameter } from "@artificer/protocol";

/**
 * Reads the small part of both languages that these tests write: one `run` on one line. Counts what it analyses, and can be
 * told that there is no interpreter.
 */
export function createAnalyzer() {
  const analyzer = {
    analysed: [] as string[],
    missing: undefined as Error | undefined,
    async analyze(language: Language, source: string): Promise<SourceAnalysis> {
      if (analyzer.missing !== undefined) throw analyzer.missing;
      analyzer.analysed.push(source);
      const lines = source.split("\n");
      const broken = lines.findIndex((line) => line.includes("def run(:") || line.includes("=> =>"));
      const empty = { imports: [], tools: [], skills: [] };
      if (broken !== -1) return { ...empty, syntaxError: { message: "invalid syntax", line: broken + 1 } };
      const pattern =
        language === "python"
          ? /^(async )?def run\((.*)\)(?: -> (\w+))?:/
          : /^export (async )?function run\((.*)\)(?:: (\w+))? \{/;
      const at = lines.findIndex((line) => pattern.test(line));
      const called = (kind: RegExp) => [...source.matchAll(kind)].map((match) => match[1]!);
      const seen = { imports: [], tools: called(/tools\.(\w+\.\w+)\(/g), skills: called(/skills\.invoke\("(\w+)"/g) };
      if (at === -1) return seen;
      const [, asynchronous, parameters, returns] = pattern.exec(lines[at]!)!;
      const doc = /^\s+"""(.*)"""/.exec(lines[at + 1] ?? "")?.[1];
      return {
        ...seen,
        entry: { parameters: parametersIn(parameters!), returns, doc, async: asynchronous !== undefined, line: at + 1 },
      };
    },
  };
  return analyzer;
}

function parametersIn(text: string): SourceParameter[] {
  return text.split(/,\s*/).flatMap((part): SourceParameter[] => {
    const [, star, name, type, value] = /^(\**)(\w+)(?::\s*([\w[\]]+))?(?:\s*=\s*(.+))?$/.exec(part.trim()) ?? [];
    if (name === undefined) return [];
    const kind = star === "**" ? "keyword-rest" : star === "*" ? "rest" : "positional";
    return [{ name, type: type ?? "any", required: value === undefined && star === "", default: value, kind }];
  });
}
