import { ArtificerError, type JsonObject, type RecordStore, type StorageKey } from "@artificer/protocol";

/** Rounds of compare-and-set before giving up: each lost round means that another writer got through. */
const maxAttempts = 50;

/**
 * Changes a record by compare-and-set, again and again until no other writer came between. `change` gets what is stored
 * and may run several times.
 *
 * @throws ArtificerError `storage/conflict` when others keep coming between.
 */
export async function updateRecord(
  records: RecordStore,
  key: StorageKey,
  change: (stored: JsonObject | undefined) => JsonObject,
): Promise<JsonObject> {
  for (let attempt = 1; ; attempt++) {
    const stored = await records.get(key);
    const value = change(stored?.value);
    try {
      await records.put(key, value, { ifRevision: stored?.revision ?? null });
      return value;
    } catch (error) {
      if (!ArtificerError.is(error, "storage/conflict") || attempt === maxAttempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * attempt));
    }
  }
}
