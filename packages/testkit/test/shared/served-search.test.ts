import { createMemoryStorage } from "@artificer/runtime";
import { testServedSearch } from "../../src/shared/test-served-search.js";

testServedSearch("The memory storage", {
  start: async () => ({
    async open() {
      const storage = createMemoryStorage();
      return { storage, reopen: async () => storage };
    },
    stop: async () => {},
  }),
});
