/** How the segments of keys are written as names of files and folders, and read back. */
export interface Naming {
  /** The ways to write a segment, the preferred one first; each is a chain of names. */
  write(segment: string, folder: boolean): string[][];
  /** The segment that a chain of names stands for; undefined when this naming would never write it so. */
  read(names: readonly string[], folder: boolean): string | undefined;
}
