import { existsSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import type ts from "typescript";
import { bareNodeGlobals, cellGlobals } from "./cell-globals.js";
import { cellText } from "./cell-text.js";
import type { CheckRequest, CheckResult } from "./checker-messages.js";
import { describeDiagnostics } from "./describe-diagnostics.js";

/** A compiler kept warm: what cells are read against is parsed once. */
export interface CellCompiler {
  /** @throws `compiler.OperationCanceledException` when `isCancelled` says so. */
  check(request: CheckRequest, isCancelled: () => boolean): CheckResult;
}

/** Files of ours lie, in name only, in a folder below the kernel's, so that packages are found as the kernel finds them. */
const own = ".artificer-cells";

/** Makes a compiler. `nodeTypes`: whether Node's own types are looked for. */
export function createCellCompiler(compiler: typeof ts, { nodeTypes = true } = {}): CellCompiler {
  const library = dirname(compiler.getDefaultLibFilePath({}));
  const files = new Map<string, { text: string; version: number }>();
  let folder = "/";
  let roots: string[] = [];
  let cancelled: () => boolean = () => false;
  let versions = 0;
  const place = (name: string) => join(folder, own, name);
  const put = (name: string, text: string) => {
    const path = place(name);
    if (files.get(path)?.text !== text) files.set(path, { text, version: ++versions });
    return path;
  };
  // A cell's text must not have the host read what the cell itself may not: declarations of packages and no more.
  const isOpen = (path: string) =>
    path.startsWith(library + sep) ||
    (/[\\/]node_modules[\\/]/.test(path) && /(\.d\.[mc]?ts|[\\/]package\.json)$/.test(path));
  const options: ts.CompilerOptions = {
    target: compiler.ScriptTarget.ESNext,
    module: compiler.ModuleKind.ESNext,
    moduleResolution: compiler.ModuleResolutionKind.Bundler,
    lib: ["lib.esnext.d.ts"],
    types: [],
    strict: true,
    // Cells are as often JavaScript: what has no type is no error.
    noImplicitAny: false,
    noImplicitThis: false,
    useUnknownInCatchVariables: false,
    allowUnreachableCode: true,
    allowUnusedLabels: true,
    esModuleInterop: true,
    allowImportingTsExtensions: true,
    moduleDetection: compiler.ModuleDetectionKind.Force,
    skipLibCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
  };
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => roots,
    getScriptVersion: (path) => String(files.get(path)?.version ?? modified(path)),
    getScriptSnapshot(path) {
      const file = files.get(path);
      if (file !== undefined) return compiler.ScriptSnapshot.fromString(file.text);
      const text = host.readFile(path);
      return text === undefined ? undefined : compiler.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: () => join(library, "lib.esnext.d.ts"),
    useCaseSensitiveFileNames: () => true,
    getCancellationToken: () => ({ isCancellationRequested: () => cancelled() }),
    fileExists: (path) => files.has(path) || (isOpen(path) && factsOf(path)?.isFile() === true),
    readFile(path) {
      if (!isOpen(path)) return undefined;
      try {
        return readFileSync(path, "utf8");
      } catch {
        return undefined;
      }
    },
    directoryExists: (path) => path.includes(own) || existsSync(path),
    getDirectories: () => [],
    readDirectory: () => [],
    realpath(path) {
      try {
        const real = realpathSync(path);
        return isOpen(real) ? real : path;
      } catch {
        return path;
      }
    },
  };
  const modified = (path: string) => (path.startsWith(library) ? 1 : (factsOf(path)?.mtimeMs ?? 0));
  const service = compiler.createLanguageService(host);

  return {
    check(request, isCancelled) {
      folder = request.folder;
      cancelled = isCancelled;
      files.clear();
      const cell = cellText(compiler, request.code, request.known, request.assigned);
      for (const { name, text } of request.modules) put(`${name}.d.ts`, text);
      const node = nodeTypes ? findNodeTypes(folder) : undefined;
      const path = place("cell.ts");
      roots = [
        node ?? put("node.d.ts", bareNodeGlobals),
        put("globals.d.ts", cellGlobals),
        put("tools.d.ts", request.tools),
        put("cell.ts", cell.text),
      ];
      const syntactic = service.getSyntacticDiagnostics(path);
      const found = syntactic.length > 0 ? syntactic : service.getSemanticDiagnostics(path);
      const program = service.getProgram()!;
      const problems = describeDiagnostics(compiler, program, { path, cell, code: request.code, found });
      const output =
        syntactic.length > 0 || (problems.length > 0 && !request.declareAnyway)
          ? undefined
          : service.getEmitOutput(path, true, true).outputFiles[0];
      return { problems, declarations: output?.text, declared: cell.declared };
    },
  };
}

function factsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Node's types: those of the session's folder, else those that came with us. */
function findNodeTypes(folder: string): string | undefined {
  for (const from of [join(folder, "cell.ts"), import.meta.url]) {
    try {
      return join(dirname(createRequire(from).resolve("@types/node/package.json")), "index.d.ts");
    } catch {
      // None there.
    }
  }
  return undefined;
}
