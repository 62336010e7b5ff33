export type { IgnoredFile } from "./ignored-files.js";
export { type FileStorage, type FileStorageOptions, openFileStorage } from "./open-file-storage.js";
