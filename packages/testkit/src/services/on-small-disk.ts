/**
 * What comes before a command so that it, and it alone, has a disk of so many megabytes at a folder. Only root may mount one.
 *
 * @returns undefined when this user can't.
 */
export function onSmallDisk(folder: string, megabytes: number): string[] | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const script = `mount -t tmpfs -o size=${megabytes}m,mode=777 tmpfs "$0" && exec "$@"`;
  return ["unshare", "-m", "sh", "-c", script, folder];
}
