import { existsSync } from "node:fs";
import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ArtificerError } from "@artificer/protocol";
import type { PGlite } from "@electric-sql/pglite";

/** What an empty database takes, and what is to be free beside it. In bytes. */
const roomToMakeBytes = 96 * 1024 * 1024;

/**
 * Opens the database in a folder that this process has to itself. It is made when there is none, and made anew when whoever made it did not
 * come to an end: nobody has been given it, so nothing is lost.
 *
 * @throws ArtificerError `storage/full` when there is not the room to make one.
 */
export async function makeDatabase(folder: string, create: (dataFolder: string) => Promise<PGlite>): Promise<PGlite> {
  const data = join(folder, "pgdata");
  const making = join(folder, "making");
  if (existsSync(data) && !existsSync(making)) return create(data);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < roomToMakeBytes) throw noRoom(folder, bavail * bsize);
  await writeFile(making, "");
  await rm(data, { recursive: true, force: true });
  const client = await create(data);
  await rm(making);
  return client;
}

function noRoom(folder: string, freeBytes: number): ArtificerError {
  const megabytes = (bytes: number) => Math.floor(bytes / 2 ** 20);
  return new ArtificerError(
    "storage/full",
    `An embedded database can't be made in ${folder}: it takes ${megabytes(roomToMakeBytes)} MiB to begin with, and ${megabytes(freeBytes)} are free.`,
    { details: { folder, freeBytes }, hint: "Free some space, or choose a folder on another disk." },
  );
}
