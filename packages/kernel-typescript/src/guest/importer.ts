import { createRequire, isBuiltin } from "node:module";
import { join, resolve as resolvePath } from "node:path";
import { pathToFileURL } from "node:url";
import { nearestNames } from "@artificer/protocol";
import type { CellImport } from "../prepare/cell-header.js";
import { outputDoubt, outputSink } from "./output.js";
import { workingFolder } from "./primordials.js";

// With these a cell can't write to the standard streams behind the kernel's back.
const quiet = new Set(
  "assert async_hooks buffer crypto events os path path/posix path/win32 perf_hooks punycode querystring string_decoder timers timers/promises url util util/types zlib".split(
    " ",
  ),
);

const toolModuleName = "artificer:tools";

type Namespace = Record<string, unknown>;
type Resolver = (specifier: string, parent: string) => string;

/** Modules for cells and skills: built-ins, the packages of the session's folder, else of its base, files beside it, and `artificer:tools`. */
export class Importer {
  readonly #toolModule: () => Namespace;
  #resolver: Promise<Resolver> | undefined;

  constructor(toolModule: () => Namespace) {
    this.#toolModule = toolModule;
  }

  /** Told of each module that was loaded, by a name that finds it again from any working folder. */
  onLoaded: (kind: "import" | "require", name: string, value: unknown) => void = () => {};

  /** What `import(…)` does in a cell. */
  async load(specifier: string): Promise<Namespace> {
    if (specifier === toolModuleName) {
      const module = this.#toolModule();
      this.onLoaded("import", specifier, module);
      return module;
    }
    this.suspect(specifier);
    const url = isBuiltin(specifier) ? specifier : await this.resolve(specifier);
    const module = (await import(url)) as Namespace;
    this.onLoaded("import", isPath(specifier) ? url : specifier, module);
    return module;
  }

  async resolve(specifier: string): Promise<string> {
    if (isPath(specifier)) return pathToFileURL(resolvePath(process.cwd(), specifier)).href;
    this.#resolver ??= import("./resolve.mjs" as string).then((module: { resolve: Resolver }) => module.resolve);
    const resolver = await this.#resolver;
    const from = (folder: string) => resolver(specifier, pathToFileURL(join(folder, "cell.mjs")).href);
    try {
      return from(workingFolder());
    } catch (error) {
      const base = baseFolder();
      if (base === undefined || !isNotFound(error)) throw error;
      try {
        return from(base);
      } catch (thrown) {
        // A package of the base that is broken says so; one that is nowhere is missing from the session's folder.
        throw isNotFound(thrown) ? error : thrown;
      }
    }
  }

  /** From now on the kernel can't be sure what has been written, unless the module is known to be quiet. */
  suspect(specifier: string): void {
    if (outputSink.write === undefined && !quiet.has(specifier.replace(/^node:/, ""))) outputDoubt.always = true;
  }

  /** `require`, for the packages that want it. */
  require(): NodeJS.Require {
    // Made anew when the kernel is given its folder after its start.
    const native = createRequire(join(workingFolder(), "cell.cjs"));
    const wrapped = (specifier: string) => {
      if (specifier === toolModuleName) return this.#toolModule();
      this.suspect(specifier);
      const value = requireFor(specifier, native)(specifier) as unknown;
      this.onLoaded("require", isPath(specifier) ? native.resolve(specifier) : specifier, value);
      return value;
    };
    return Object.assign(wrapped, native);
  }

  /** The values that static imports bind, by their local names. */
  async bind(imports: readonly CellImport[]): Promise<[local: string, value: unknown][]> {
    const modules = await Promise.all(imports.map((one) => this.load(one.from).catch(failedAt(one.line))));
    return imports.flatMap(({ from, line, names }, index) =>
      names.flatMap(([imported, local, needed]): [string, unknown][] => {
        const module = modules[index]!;
        if (imported === "*") return [[local, module]];
        if (imported in module) return [[local, module[imported]]];
        // A name that no code uses may well be a type.
        if (!needed) return [];
        // The module of tools tells what it has.
        if (from === toolModuleName) return failedAt(line)(thrownBy(() => module[imported]));
        return failedAt(line)(missingExport(from, imported, module));
      }),
    );
  }
}

function isPath(specifier: string): boolean {
  return /^\.{0,2}\//.test(specifier);
}

/** The folder that the session's things are kept in, which may have packages of its own. */
function baseFolder(): string | undefined {
  return process.env.ARTIFICER_BASE || undefined;
}

function isNotFound(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
}

/** The `require` that finds a package: the session's folder's, unless the base alone has it. */
function requireFor(specifier: string, native: NodeJS.Require): NodeJS.Require {
  const base = baseFolder();
  if (base === undefined || isPath(specifier) || canResolve(specifier, native)) return native;
  const ofBase = createRequire(join(base, "cell.cjs"));
  return canResolve(specifier, ofBase) ? ofBase : native;
}

function canResolve(specifier: string, require: NodeJS.Require): boolean {
  try {
    require.resolve(specifier);
    return true;
  } catch {
    return false;
  }
}

/** The line of the import that an error came from. */
export const importLines = new WeakMap<object, number>();

function failedAt(line: number): (error: unknown) => never {
  return (error) => {
    if (typeof error === "object" && error !== null) importLines.set(error, line);
    throw error;
  };
}

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (thrown) {
    return thrown;
  }
}

function missingExport(from: string, name: string, module: Namespace): SyntaxError {
  const near = nearestNames(name, Object.keys(module));
  const help = near.length > 0 ? ` Did you mean ${near.join(", ")}?` : "";
  return new SyntaxError(`The module '${from}' does not provide an export named '${name}'.${help}`);
}
