export interface SmallDisk {
  megabytes: number;
  /** Whose it is; root's when absent. */
  owner?: { uid: number; gid: number };
}

/**
 * What comes before a command so that it, and it alone, has a small disk at a folder. Only root may mount one.
 *
 * @returns undefined when this user can't.
 */
export function onSmallDisk(
  folder: string,
  { megabytes, owner = { uid: 0, gid: 0 } }: SmallDisk,
): string[] | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const shape = `size=${megabytes}m,mode=700,uid=${owner.uid},gid=${owner.gid}`;
  return ["unshare", "-m", "sh", "-c", `mount -t tmpfs -o ${shape} tmpfs "$0" && exec "$@"`, folder];
}
