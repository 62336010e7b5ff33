import { ArtificerError, type Storage } from "@artificer/protocol";
import type { Extensions, PGlite } from "@electric-sql/pglite";
import type { Database } from "../database.js";
import { checkedOptions, type DatabaseStorageOptions, openDatabaseStorage } from "../open/open-database-storage.js";
import type { Row } from "../vectors/script.js";
import { scopesIn } from "../watch/change-channel.js";
import { byteaCodec } from "./bytea-codec.js";
import { takeClient } from "./shared-clients.js";

export interface PgliteStorageOptions extends DatabaseStorageOptions {
  /** Where the database is kept; one process at a time may have it open. Without it, it lives in memory and ends with the storage. */
  dataFolder?: string;
  /** A database of yours, which stays open when the storage is closed. Instead of `dataFolder`. */
  client?: PGlite;
}

/**
 * Opens the storage in an embedded PostgreSQL: the same tables and statements without a server. Openings of one folder in one
 * process share the database. Needs the package @electric-sql/pglite beside this one.
 *
 * @throws ArtificerError `storage/locked` when another process has the folder open, `storage/unsupported` when the package is
 * missing, `usage/invalid-argument` for options that can't be.
 */
export async function openPgliteStorage(options: PgliteStorageOptions = {}): Promise<Storage> {
  const { dataFolder, client } = options;
  if (dataFolder !== undefined && client !== undefined)
    throw new ArtificerError("usage/invalid-argument", "Give `dataFolder` or `client`, and not both.");
  if (dataFolder === "") throw new ArtificerError("usage/invalid-argument", "`dataFolder` can't be empty.");
  // Before the database is opened, which takes seconds.
  checkedOptions(options);
  const { drizzle, createClient } = await loadPglite();
  const open = async () => {
    if (client !== undefined) return { client, giveBack: async () => {} };
    if (dataFolder !== undefined) return takeClient(dataFolder, createClient);
    const own = await createClient();
    return { client: own, giveBack: () => own.close() };
  };
  const taken = await open();
  const where = dataFolder ?? taken.client.dataDir ?? "";
  const inMemory = where === "" || where.startsWith("memory://");
  return openDatabaseStorage(
    {
      db: drizzle(taken.client) as unknown as Database,
      kind: "pglite",
      name: inMemory ? "an embedded database in memory" : `the embedded database in ${where}`,
      reopen: "openPgliteStorage",
      durable: !inMemory,
      listen: async (channel, heard) => {
        const stop = await taken.client.listen(channel, (payload) => heard(scopesIn(payload)));
        return { close: stop };
      },
      async script(statements) {
        // Sent as one, so that it is one transaction.
        const results = await taken.client.exec(statements.join(";\n"));
        return results.map(({ rows }) => rows as Row[]);
      },
      howToInstallVectors: () =>
        client === undefined
          ? "Install it: npm install @electric-sql/pglite-pgvector@0.0.15"
          : "Give a client that was made with it: `extensions: { vector }` of @electric-sql/pglite-pgvector.",
      end: taken.giveBack,
    },
    options,
  );
}

async function loadPglite() {
  try {
    const [{ PGlite: Client }, { drizzle }] = await Promise.all([
      import("@electric-sql/pglite"),
      import("drizzle-orm/pglite"),
    ]);
    const extensions = await loadVector();
    return {
      drizzle,
      createClient: (dataFolder?: string) => Client.create(dataFolder, { ...byteaCodec, extensions }),
    };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new ArtificerError("storage/unsupported", "The embedded PostgreSQL is not installed.", {
      hint: "Install it: npm install @electric-sql/pglite@0.5.14",
      cause,
    });
  }
}

/** The extension that ranks vectors, where its package is. */
async function loadVector(): Promise<Extensions> {
  try {
    const { vector } = await import("@electric-sql/pglite-pgvector");
    return { vector };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    return {};
  }
}
