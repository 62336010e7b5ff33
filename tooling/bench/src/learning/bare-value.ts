import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@redis/client";
import pg from "pg";
import type { LearningTarget } from "./learner-protocol.js";

/** One value by the bare driver. */
export interface BareValue {
  write(): Promise<void>;
  isThere(): Promise<boolean>;
  close(): Promise<void>;
}

export const bareTable = 'CREATE TABLE learning (key text COLLATE "C" PRIMARY KEY)';

export async function openBareValue({ kind, address }: LearningTarget, key: string): Promise<BareValue> {
  if (kind === "files") return inFolder(address, key);
  if (kind === "Redis") return inRedis(address, key);
  const client = new pg.Client(address);
  client.on("error", () => {});
  await client.connect();
  return {
    write: async () => void (await client.query("INSERT INTO learning VALUES ($1)", [key])),
    isThere: async () => (await client.query("SELECT key FROM learning WHERE key = $1", [key])).rows.length > 0,
    close: () => client.end(),
  };
}

function inFolder(folder: string, key: string): BareValue {
  const path = join(folder, `.${key}`);
  return {
    async write() {
      await writeFile(`${path}.draft`, key);
      await rename(`${path}.draft`, path);
    },
    isThere: () =>
      readFile(path, "utf8").then(
        (text) => text === key,
        () => false,
      ),
    close: async () => {},
  };
}

async function inRedis(url: string, key: string): Promise<BareValue> {
  const client = createClient({ url });
  client.on("error", () => {});
  await client.connect();
  return {
    write: async () => void (await client.set(key, key)),
    isThere: async () => (await client.get(key)) === key,
    close: async () => client.destroy(),
  };
}
