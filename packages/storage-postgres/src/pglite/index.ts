export type { DatabaseStorageOptions } from "../open/open-database-storage.js";
export { openPgliteStorage, type PgliteStorageOptions } from "./open-pglite-storage.js";
