export type { DatabaseStorageOptions } from "./open/open-database-storage.js";
export { openPostgresStorage, type PostgresStorageOptions } from "./open/open-postgres-storage.js";
export { readPostgresVersion } from "./read-postgres-version.js";
