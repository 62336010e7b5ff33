import { ArtificerError } from "@artificer/protocol";
import { addressOf, type OpenStorageOptions, openStorageAt } from "../storage/open-storage.js";

/** What `migrateStore` found and did. */
export interface Migration {
  location: string;
  /** Migrations that the store lacked; always 0 where there are none to apply. */
  missing: number;
  applied: boolean;
}

/**
 * Brings a database's tables up to date; stores of other kinds have nothing to bring up to date.
 *
 * @throws ArtificerError `storage/unsupported` when a later release made them, `storage/…`
 */
export async function migrateStore(
  url: string,
  options: OpenStorageOptions & { dryRun?: boolean } = {},
): Promise<Migration> {
  const { dryRun = false, ...rest } = options;
  const { location } = await addressOf(url, rest);
  const missing = await missingMigrations(url, rest);
  if (missing > 0 && !dryRun) {
    const { storage } = await openStorageAt(url, { ...rest, migrate: true });
    await storage.close();
  }
  return { location, missing, applied: missing > 0 && !dryRun };
}

/** How many the store lacks. Changes nothing. */
async function missingMigrations(url: string, options: OpenStorageOptions): Promise<number> {
  try {
    const { storage } = await openStorageAt(url, { ...options, migrate: false });
    await storage.close();
    return 0;
  } catch (thrown) {
    if (ArtificerError.is(thrown, "storage/unavailable") && typeof thrown.details.missing === "number")
      return thrown.details.missing;
    throw thrown;
  }
}
