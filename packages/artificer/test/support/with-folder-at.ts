import { execFile } from "node:child_process";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createSandboxExecutor } from "@artificer/executors/sandbox";
import { ensurePrograms } from "@artificer/testkit/confinement";

const run = promisify(execFile);

/** Why no program can be given a folder at another path here; undefined when it can. */
export async function whyNoFolderAt(): Promise<string | undefined> {
  if (process.platform !== "linux") return "only Linux shows one program other folders than the rest";
  const missing = await ensurePrograms({ bwrap: "bubblewrap" });
  if (missing !== undefined) return missing;
  const sandboxes = createSandboxExecutor();
  const { reason } = await sandboxes.probe();
  await sandboxes.close();
  return reason;
}

/** Runs a program that sees this machine as it is, and `folder` at `path` (`/project`) besides. @returns what it printed. */
export async function withFolderAt(path: string, folder: string, command: readonly string[]): Promise<string> {
  const args: string[] = [];
  for (const name of await readdir("/")) {
    const top = join("/", name);
    if (top === path) continue;
    if ((await lstat(top)).isSymbolicLink()) args.push("--symlink", await readlink(top), top);
    else args.push("--dev-bind", top, top);
  }
  const { stdout } = await run("bwrap", [...args, "--bind", folder, path, "--die-with-parent", "--", ...command]);
  return stdout;
}
