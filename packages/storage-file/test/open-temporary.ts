import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type FileStorage, type FileStorageOptions, openFileStorage } from "../src/open-file-storage.js";

/** A folder of its own for one test, removed after it. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "artificer-storage-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A storage that is closed after the test. */
export async function openFor(folder: string, options?: FileStorageOptions): Promise<FileStorage> {
  const storage = await openFileStorage(folder, options);
  onTestFinished(() => storage.close());
  return storage;
}
