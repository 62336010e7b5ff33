import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../repository-root.mjs";

/** The packages that get published: name, folder, what can be imported of each, and its commands. */
export function publishablePackages() {
  return ["packages", "apps"]
    .flatMap((group) => readdirSync(join(repositoryRoot, group)).map((name) => join(repositoryRoot, group, name)))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ folder, manifest }) => ({
      name: manifest.name,
      folder,
      entries: Object.keys(manifest.exports ?? {})
        .filter((key) => !key.endsWith(".json"))
        .map((key) => manifest.name + key.slice(1)),
      bins: Object.keys(manifest.bin ?? {}),
    }));
}
