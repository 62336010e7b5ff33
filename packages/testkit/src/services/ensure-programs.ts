import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const patience = ["-o", "DPkg::Lock::Timeout=120"];

/**
 * Sees that programs are there; as root on Debian, what is missing is installed. Returns why tests that need them can't
 * run, or undefined when they can.
 *
 * @param programs each with the Debian package that has it.
 */
export async function ensurePrograms(programs: Readonly<Record<string, string>>): Promise<string | undefined> {
  const missing = () => Object.keys(programs).filter((name) => !isOnPath(name));
  if (missing().length === 0) return undefined;
  let failure = "";
  if (process.getuid?.() === 0 && isOnPath("apt-get")) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const packages = missing().map((name) => programs[name] ?? name);
    try {
      await run("apt-get", ["-qq", ...patience, "update"], { env }).catch(() => undefined);
      await run("apt-get", ["install", "-qq", "-y", "--no-install-recommends", ...patience, ...packages], { env });
    } catch (error) {
      failure = `; installing failed: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`;
    }
  }
  const left = missing();
  return left.length === 0 ? undefined : `${left.join(", ")} not on this machine's PATH${failure}`;
}

/** Administrators' folders too: not everyone's PATH has them. */
function isOnPath(name: string): boolean {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  return folders.some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
