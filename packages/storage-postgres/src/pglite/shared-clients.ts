import { mkdir, realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { folderError } from "./folder-error.js";
import { lockFolder } from "./folder-lock.js";
import { guardClient } from "./guard-client.js";
import { makeDatabase } from "./make-database.js";

interface Opened {
  client: PGlite;
  /** Closes the database and gives the folder free. */
  close(): Promise<void>;
}

interface Shared {
  opened: Promise<Opened>;
  openings: number;
}

/** By real path: an embedded database can be open once, so all openings in this process share it. */
const shares = new Map<string, Shared>();
const closings = new Map<string, Promise<void>>();

/** The database in a folder, made when it is missing. The last of those who took it closes it. */
export async function takeClient(
  dataFolder: string,
  create: (dataFolder: string) => Promise<PGlite>,
): Promise<{ client: PGlite; giveBack(): Promise<void> }> {
  const folder = await makeFolder(resolve(dataFolder));
  for (let closing = closings.get(folder); closing; closing = closings.get(folder)) await closing;
  const share = shares.get(folder) ?? { opened: open(folder, create), openings: 0 };
  shares.set(folder, share);
  share.openings++;
  const giveBack = async () => {
    if (--share.openings > 0) return;
    shares.delete(folder);
    const closing = share.opened.then(
      ({ close }) => close(),
      () => {},
    );
    const settled = closing.catch(() => {}).finally(() => closings.delete(folder));
    closings.set(folder, settled);
    await closing;
  };
  try {
    return { client: (await share.opened).client, giveBack };
  } catch (error) {
    await giveBack();
    throw error;
  }
}

async function makeFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
    return await realpath(folder);
  } catch (error) {
    throw folderError(error, folder);
  }
}

async function open(folder: string, create: (dataFolder: string) => Promise<PGlite>): Promise<Opened> {
  const lock = await lockFolder(folder).catch((error: unknown) => {
    throw folderError(error, folder);
  });
  try {
    const client = await makeDatabase(folder, create);
    const canBeClosed = guardClient(client, folder);
    const close = async () => {
      try {
        // What gave up is left to the garbage: to close it would be one more call.
        if (canBeClosed()) await client.close();
      } finally {
        await lock.release();
      }
    };
    return { client, close };
  } catch (error) {
    await lock.release();
    throw folderError(error, folder);
  }
}
