import { execFile } from "node:child_process";
import { promisify } from "node:util";

export interface SmallDiskOptions {
  /** Default 2. */
  megabytes?: number;
}

/**
 * The command before a program that mounts a small disk on a folder for it alone: in a mount namespace of its own, which ends
 * with the program.
 *
 * @throws where neither root nor user namespaces are to be had
 */
export function withSmallDisk(folder: string, { megabytes = 2 }: SmallDiskOptions = {}): Promise<string[]> {
  return mounting(`mount -t tmpfs -o size=${megabytes}m,mode=777 tmpfs "$0"`, folder);
}

/** The same for a test, which is skipped with the reason where no disk can be mounted. */
export async function smallDiskOrSkip(
  context: { skip(reason: string): never },
  folder: string,
  options?: SmallDiskOptions,
): Promise<string[]> {
  try {
    return await withSmallDisk(folder, options);
  } catch (error) {
    return context.skip(String((error as Error).message).replaceAll("\n", " "));
  }
}

/** The same for a folder that shows what is in it and can't be written, not even by root. */
export function readingOnly(folder: string): Promise<string[]> {
  return mounting('mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"', folder);
}

async function mounting(script: string, folder: string): Promise<string[]> {
  const mount = ["sh", "-c", `${script} && exec "$@"`, folder];
  const tried: string[] = [];
  for (const unshare of [
    ["unshare", "-m"],
    ["unshare", "-rm"],
  ]) {
    try {
      const [command = "", ...args] = [...unshare, ...mount, "true"];
      await promisify(execFile)(command, args);
      return [...unshare, ...mount];
    } catch (error) {
      tried.push(String(error));
    }
  }
  throw new Error(`This test needs root or user namespaces to mount a folder:\n${tried.join("\n")}`);
}
