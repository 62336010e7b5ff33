import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./repository-root.js";

/** The parts of a package.json that the checks look at. */
export interface Manifest {
  name: string;
  private?: boolean;
  exports?: Record<string, string | { types?: string; default?: string }>;
  bin?: Record<string, string>;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** One package of the workspace; `folder` is relative to the clone and uses `/`. */
export interface WorkspacePackage {
  name: string;
  folder: string;
  manifest: Manifest;
}

/** Every package of the workspace, in the order of their folders. */
export function workspacePackages(): WorkspacePackage[] {
  const folders = ["packages", "apps", "tooling"].flatMap((group) =>
    readdirSync(join(repositoryRoot, group))
      .sort()
      .map((name) => `${group}/${name}`),
  );
  return [...folders, "examples"].filter(hasManifest).map((folder) => {
    const manifest = readManifest(folder);
    return { name: manifest.name, folder, manifest };
  });
}

/** The manifest of the workspace's root. */
export function rootManifest(): Manifest {
  return readManifest(".");
}

function hasManifest(folder: string): boolean {
  return existsSync(join(repositoryRoot, folder, "package.json"));
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(repositoryRoot, folder, "package.json"), "utf8")) as Manifest;
}
