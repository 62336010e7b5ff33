import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ArtificerError } from "@artificer/protocol";
import { fileError } from "./file-error.js";

/** A place inside the workspace, every link followed. It need not exist. */
export interface WorkspacePath {
  absolute: string;
  /** Relative to the root, with forward slashes; `.` for the root itself. */
  shown: string;
}

/** The folder that a workspace's tools are kept to. */
export interface WorkspaceRoot {
  /** As configured; links in it are not followed yet. */
  readonly folder: string;
  /**
   * Finds the place that a path stands for: relative to the root, or absolute inside it.
   *
   * @throws ArtificerError `tool/denied` when it leads outside, be it by `..` or through a link; `tool/invalid-argument`.
   */
  locate(path: string): Promise<WorkspacePath>;
  /** The same for a path whose links are followed already. */
  inside(absolute: string): Promise<boolean>;
}

/** The root of a workspace. Nothing is looked at before the first call. */
export function createWorkspaceRoot(root: string): WorkspaceRoot {
  const folder = resolve(root);
  const realRoot = () =>
    realpath(folder).catch((error: unknown) => {
      throw fileError(error, folder);
    });
  return {
    folder,
    async locate(path) {
      if (path.includes("\0")) {
        throw new ArtificerError("tool/invalid-argument", "The path holds a NUL character.", {
          details: { argument: "path" },
        });
      }
      const real = await realRoot();
      const wanted = isAbsolute(path) ? resolve(path) : resolve(real, path);
      const absolute = await followLinks(holds(folder, wanted) ? join(real, relative(folder, wanted)) : wanted, path);
      if (!holds(real, absolute)) throw outside(path, folder);
      return { absolute, shown: relative(real, absolute).split(sep).join("/") || "." };
    },
    inside: async (absolute) => holds(await realRoot(), absolute),
  };
}

/** What a path that leads out of the workspace is answered with. */
export function outside(path: string, folder: string): ArtificerError {
  return new ArtificerError("tool/denied", `${path} leads out of the workspace.`, {
    details: { path, root: folder },
    hint: "Give a path relative to the workspace's root; links that lead out of it are not followed.",
  });
}

function holds(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Follows the links of the part that exists. A link to nothing would create its target elsewhere: it is refused. */
async function followLinks(path: string, asked: string): Promise<string> {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(await realpath(at), ...missing);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const link = await lstat(at).then(
        (stats) => stats.isSymbolicLink(),
        () => false,
      );
      if (link || (code !== "ENOENT" && code !== "ENOTDIR") || dirname(at) === at) throw fileError(error, asked, link);
      missing.unshift(basename(at));
    }
  }
}
