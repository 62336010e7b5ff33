import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, readdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

interface WantedProgram {
  name: string;
  /** Folders to look in besides PATH. */
  folders?: () => Promise<string[]>;
  /** The Debian package that has it. */
  debianPackage: string;
}

/** The path of a server's program. As root on Debian it is installed when it is missing. */
export async function findProgram(wanted: WantedProgram): Promise<string> {
  const found = await locateProgram(wanted);
  if (found !== undefined) return found;
  const command = `apt-get install -y --no-install-recommends ${wanted.debianPackage}`;
  let failure = "";
  if (process.getuid?.() === 0 && (await locateProgram({ name: "apt-get" })) !== undefined) {
    try {
      // Two test files may want it at once: the second waits for the first.
      const [program = "", ...args] = ["apt-get", "-o", "DPkg::Lock::Timeout=120", ...command.split(" ").slice(1)];
      const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
      await promisify(execFile)(program, ["-qq", "-o", "DPkg::Lock::Timeout=120", "update"], { env }).catch(() => {});
      await promisify(execFile)(program, args, { env });
    } catch (error) {
      failure = ` (${String(error)})`;
    }
    const installed = await locateProgram(wanted);
    if (installed !== undefined) return installed;
  }
  throw new Error(`These tests need ${wanted.name}, which is not on this machine${failure}. Install it: ${command}`);
}

/** The path of a program in the folders given or on PATH. */
export async function locateProgram({
  name,
  folders,
}: Pick<WantedProgram, "name" | "folders">): Promise<string | undefined> {
  const places = [...((await folders?.()) ?? []), ...(process.env.PATH ?? "").split(delimiter)];
  for (const folder of places) {
    const path = join(folder, name);
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return undefined;
}

/** Debian keeps PostgreSQL's programs out of PATH, one folder a version. The newest first. */
export async function postgresFolders(): Promise<string[]> {
  const root = "/usr/lib/postgresql";
  const versions = await readdir(root).catch(() => []);
  return versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(root, version, "bin"));
}
