import { createMemoryStorage } from "@artificer/runtime";
import type { BackendKind } from "./backend.js";

const allAtOnce = 1_000_000;

export const memoryBackend: BackendKind = {
  name: "memory",
  driver: "a Map of JSON texts",
  async open() {
    const storage = createMemoryStorage();
    const bare = new Map<string, string>();
    const parsed = () => [...bare.keys()].sort().map((key) => JSON.parse(bare.get(key) ?? ""));
    const again = async () => ({ ...storage, close: async () => {} });
    return {
      storage,
      // All there is of it is in this one.
      reopen: again,
      openQuickly: again,
      bare: {
        put: async (key, json) => bare.set(key, json),
        get: async (key) => JSON.parse(bare.get(key) ?? ""),
        list: async () => parsed(),
        readSkills: () => storage.blobs.list("skills/", { limit: allAtOnce }),
        readLibrary: () => storage.records.list("skill-index/", { limit: allAtOnce }),
      },
      close: () => storage.close(),
    };
  },
};
