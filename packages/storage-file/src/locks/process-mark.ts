import { randomBytes } from "node:crypto";
import { mkdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownFacts } from "./process-life.js";

/** A file that says who an opening of the storage is. Its drafts begin with its id; its locks are links to it. */
export interface ProcessMark {
  readonly id: string;
  readonly path: string;
  /** Makes the file at the first call: reading needs none. @returns its inode. */
  ensure(): Promise<bigint>;
  /** Makes it again when somebody cleared it away. */
  renew(): Promise<void>;
  /** Moves the file's time, and with it that of every lock: how a process on another machine sees that we live. */
  beat(): Promise<void>;
  remove(): Promise<void>;
}

export function createProcessMark(folder: string): ProcessMark {
  const id = randomBytes(9).toString("hex");
  const path = join(folder, `${id}.json`);
  let made: Promise<bigint> | undefined;
  const make = async () => {
    const text = `${JSON.stringify(await ownFacts(id))}\n`;
    await mkdir(folder, { recursive: true });
    await writeFile(path, text, { flag: "wx" });
    return (await stat(path, { bigint: true })).ino;
  };
  return {
    id,
    path,
    async ensure() {
      made ??= make();
      try {
        return await made;
      } catch (error) {
        // A full disk may have room at the next call.
        made = undefined;
        await rm(path, { force: true });
        throw error;
      }
    },
    async renew() {
      const found = await stat(path).catch(() => undefined);
      if (found === undefined) made = undefined;
    },
    async beat() {
      const now = new Date();
      await utimes(path, now, now);
    },
    async remove() {
      if (made !== undefined) await rm(path, { force: true });
    },
  };
}
