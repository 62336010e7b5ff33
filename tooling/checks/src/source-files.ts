import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./repository-root.js";

const ignored = new Set(["node_modules", "dist", "coverage", "__pycache__", ".git", ".turbo", ".artificer"]);

/** Every file under a folder of the clone, as `/`-separated paths from the clone, leaving out what is installed or built. */
export function sourceFiles(folder: string, accepts: (path: string) => boolean = () => true): string[] {
  const absolute = join(repositoryRoot, folder);
  if (!existsSync(absolute)) return [];
  return readdirSync(absolute, { withFileTypes: true })
    .filter((entry) => !ignored.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return sourceFiles(path, accepts);
      return entry.isFile() && accepts(path) ? [path] : [];
    });
}
