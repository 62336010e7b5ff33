import { createTables } from "./tables.js";

/** What drizzle-kit makes migrations of: the tables without a schema, since a migration is run with the schema as its search path. */
export const { records, blobs, blobVersions, blobChunks, leases } = createTables();
