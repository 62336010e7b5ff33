import { builtinModules } from "node:module";
import { posix } from "node:path";
import type { Layer } from "./layers.js";
import { moduleImports, packageOf } from "./module-imports.js";
import type { Manifest } from "./workspace-packages.js";

/** Where an import stands: in the product or in its tests. */
export type Side = "source" | "test";

/** Every import of one file that its package's layer doesn't allow, each as a line that says how to mend it. */
export function importViolations(path: string, source: string, side: Side, name: string, layer: Layer): string[] {
  const allowed = allowedOn(side, name, layer);
  return moduleImports(source).flatMap(({ specifier, line }) => {
    const problem = /^\.\.?\//.test(specifier)
      ? pathProblem(path, specifier, side)
      : importProblem(specifier, side, name, layer, allowed);
    return problem === undefined ? [] : [`${path}:${line} ${problem}`];
  });
}

/** A relative import may not leave its package, nor may a source read what is built from it; a test's program may. */
function pathProblem(path: string, specifier: string, side: Side): string | undefined {
  const target = posix.join(posix.dirname(path), specifier);
  const home = packageFolder(path);
  if (!target.startsWith(`${home}/`))
    return `imports "${specifier}", which is outside of ${home}; import a package by its name`;
  if (side === "source" && target.startsWith(`${home}/dist/`))
    return `imports the built "${specifier}"; import the source`;
  return undefined;
}

function packageFolder(path: string): string {
  const parts = path.split("/");
  return parts.slice(0, parts[0] === "examples" ? 1 : 2).join("/");
}

function importProblem(specifier: string, side: Side, name: string, layer: Layer, allowed: Set<string>) {
  const target = packageOf(specifier);
  if (target === undefined) return undefined;
  if (isWorkspaceName(target)) {
    if (specifier.startsWith(`${target}/dist/`)) return `imports "${specifier}" by its path; import one of its entries`;
    if (allowed.has(target)) return undefined;
    return `imports ${target}, but ${name} may import ${listed(allowed)} only (tooling/checks/src/layers.ts)`;
  }
  if (side === "test" || layer.onlyForeign === undefined || layer.onlyForeign.includes(target)) return undefined;
  const what = isBuiltin(specifier) ? "the Node built-in " : "";
  return `imports ${what}"${specifier}", but ${name} may use ${layer.onlyForeign.join(", ")} alone, so that a browser can run it`;
}

/** Every workspace package among a manifest's dependencies that the layer doesn't allow. */
export function manifestViolations(manifest: Manifest, layer: Layer, toolingForAll: readonly string[]): string[] {
  const check = (field: "dependencies" | "peerDependencies" | "optionalDependencies" | "devDependencies") => {
    const isDev = field === "devDependencies";
    const allowed = allowedOn(isDev ? "test" : "source", manifest.name, layer);
    return Object.keys(manifest[field] ?? {})
      .filter((target) => isWorkspaceName(target) && !allowed.has(target) && !(isDev && toolingForAll.includes(target)))
      .map((target) => `${manifest.name}: package.json ${field} names ${target}; allowed are ${listed(allowed)}`);
  };
  const foreign = Object.keys(manifest.dependencies ?? {}).filter(
    (target) => layer.onlyForeign !== undefined && !isWorkspaceName(target) && !layer.onlyForeign.includes(target),
  );
  return [
    ...check("dependencies"),
    ...check("peerDependencies"),
    ...check("optionalDependencies"),
    ...check("devDependencies"),
    ...foreign.map(
      (target) =>
        `${manifest.name}: package.json dependencies names ${target}; it must depend on ${layer.onlyForeign?.join(", ")} alone`,
    ),
  ];
}

function allowedOn(side: Side, name: string, layer: Layer): Set<string> {
  return new Set([...layer.imports, ...(side === "test" ? [name, ...(layer.testImports ?? [])] : [])]);
}

function isWorkspaceName(name: string): boolean {
  return name === "artificer" || name.startsWith("@artificer/");
}

function isBuiltin(specifier: string): boolean {
  return specifier.startsWith("node:") || builtinModules.includes(specifier);
}

function listed(names: ReadonlySet<string>): string {
  return names.size === 0 ? "no other package" : [...names].sort().join(", ");
}
