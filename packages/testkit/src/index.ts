export { awkwardKeys } from "./storage/key-cases.js";
export { storageCases } from "./storage/storage-cases.js";
export type { StorageCase, StorageHarness } from "./storage/storage-harness.js";
export { testStorage } from "./storage/test-storage.js";
