import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testStorage } from "@artificer/testkit";
import { type FileStorageOptions, openFileStorage } from "../src/open-file-storage.js";

const open = (options?: FileStorageOptions) => async () => {
  const folder = await mkdtemp(join(tmpdir(), "artificer-storage-"));
  const storage = await openFileStorage(folder, options);
  return {
    storage,
    reopen: () => openFileStorage(folder, options),
    close: async () => {
      await storage.close();
      await rm(folder, { recursive: true });
    },
  };
};

testStorage("The file storage", open());
testStorage(
  "The file storage that treats names as a case-insensitive file system does",
  open({ caseSensitive: false, fsync: false }),
);
