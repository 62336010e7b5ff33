import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { ArtificerError } from "@artificer/protocol";
import type { Workspace } from "./workspace.js";

interface Chosen {
  workspace: Workspace | undefined;
  hidden: string[];
}

/** Folders that are no workspace: cells would see the machine, or the sandbox would hide its own. */
const refused = [
  "/",
  "/bin",
  "/boot",
  "/dev",
  "/etc",
  "/home",
  "/lib",
  "/proc",
  "/root",
  "/run",
  "/sbin",
  "/sys",
  "/tmp",
  "/usr",
  "/var",
];

/**
 * The workspace and what is hidden in it, with links followed.
 *
 * @throws ArtificerError `executor/unsupported` for a folder that is missing or is none that cells may be given.
 */
export function chooseWorkspace(workspace: Workspace | undefined, hidden: readonly string[]): Chosen {
  if (workspace === undefined) return { workspace, hidden: [] };
  const path = resolve(workspace.path);
  if (!existsSync(path)) throw unsupported(path, "is not there", "Create it, or name another folder.");
  const real = realpathSync(path);
  if (refused.includes(real)) {
    throw unsupported(path, "belongs to the system and can't be given to cells", "Name a folder of your own.");
  }
  const found = hidden.filter((folder) => existsSync(folder)).map((folder) => realpathSync(folder));
  if (found.includes(real))
    throw unsupported(path, "is hidden from cells", "Name the folder that it lies in, or another.");
  return {
    workspace: { path: real, mode: workspace.mode },
    hidden: found.filter((folder) => isWithin(folder, real)),
  };
}

/** The working folder asked for when it is in the workspace, else the workspace. */
export function beginsIn(cwd: string, workspace: string): string {
  const real = realpathSync(cwd);
  return isWithin(real, workspace) ? real : workspace;
}

/** Whether a path is a folder or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(join(folder, "/"));
}

function unsupported(path: string, why: string, hint: string): ArtificerError {
  return new ArtificerError("executor/unsupported", `The workspace ${path} ${why}.`, { details: { path }, hint });
}
