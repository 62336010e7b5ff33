import { join } from "node:path";
import { exportedNames } from "./exported-names.js";
import { repositoryRoot } from "./repository-root.js";
import { type Manifest, workspacePackages } from "./workspace-packages.js";

/** What the outside can see of one package. A private package shows its name alone. */
export interface PackageSurface {
  private: boolean;
  bin?: Record<string, string>;
  /** The names each entry exports; null for an entry that isn't a module. */
  exports?: Record<string, string[] | null>;
}

/** The file that holds the agreed surface. */
export const surfaceFile = "tooling/checks/surface.json";

/** The surface of every package as it is built now. */
export function currentSurface(): Record<string, PackageSurface> {
  const packages = workspacePackages();
  const names = exportedNames(packages.flatMap(({ folder, manifest }) => Object.values(typeFiles(folder, manifest))));
  const surfaces = packages.map(({ name, folder, manifest }): [string, PackageSurface] => {
    if (manifest.private === true) return [name, { private: true }];
    const types = typeFiles(folder, manifest);
    const exports = Object.keys(manifest.exports ?? {}).map((key): [string, string[] | null] => {
      const file = types[key];
      return [key, file === undefined ? null : (names.get(file) ?? [])];
    });
    return [
      name,
      { private: false, ...(manifest.bin ? { bin: manifest.bin } : {}), exports: Object.fromEntries(exports) },
    ];
  });
  return Object.fromEntries(surfaces.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function typeFiles(folder: string, manifest: Manifest): Record<string, string> {
  if (manifest.private === true) return {};
  const entries = Object.entries(manifest.exports ?? {}).flatMap(([key, target]): [string, string][] =>
    typeof target === "object" && target.types !== undefined ? [[key, join(repositoryRoot, folder, target.types)]] : [],
  );
  return Object.fromEntries(entries);
}
