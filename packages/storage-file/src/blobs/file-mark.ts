import type { BigIntStats } from "node:fs";

/** What changes about a file whenever its content does: enough to know it unchanged without reading it. */
export interface FileMark {
  ino: string;
  size: string;
  mtimeNs: string;
  /** Absent in what was noted before the file was moved into place, which changes it. */
  ctimeNs?: string;
}

export function fileMark(stat: BigIntStats): FileMark & { ctimeNs: string } {
  const { ino, size, mtimeNs, ctimeNs } = stat;
  return { ino: `${ino}`, size: `${size}`, mtimeNs: `${mtimeNs}`, ctimeNs: `${ctimeNs}` };
}

/** Whether a file that had the first mark and now has the second is unchanged. */
export function sameMark(noted: FileMark | undefined, now: FileMark): boolean {
  if (noted === undefined || noted.ino !== now.ino || noted.size !== now.size || noted.mtimeNs !== now.mtimeNs)
    return false;
  return noted.ctimeNs === undefined || noted.ctimeNs === now.ctimeNs;
}

/**
 * Whether another edit of this file would surely change its mark. Within one tick of the clock that stamps files it would not,
 * and where times are whole seconds a tick is long; nor can a time that lies ahead of ours be judged.
 */
export function isSettled(stat: BigIntStats): boolean {
  const newest = Math.max(Number(stat.mtimeMs), Number(stat.ctimeMs));
  const wholeSeconds = stat.mtimeNs % 1_000_000_000n === 0n;
  return Date.now() - newest > (wholeSeconds ? 2500 : 100);
}
