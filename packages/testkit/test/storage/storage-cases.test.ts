import { createMemoryStorage } from "@artificer/runtime";
import { describe, expect, test } from "vitest";
import { storageCases } from "../../src/storage/storage-cases.js";
import { testStorage } from "../../src/storage/test-storage.js";
import { brokenStorages } from "./broken-storages.js";

testStorage("The memory storage", async () => {
  const storage = createMemoryStorage();
  return { storage, close: () => storage.close() };
});

describe("the storage contract", () => {
  test("has a case of its own id for every requirement", () => {
    const ids = storageCases.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^storage(\.[a-z]+(-[a-z]+)*)+$/);
  });

  for (const { fault, found, create } of brokenStorages) {
    test(`${found} finds a storage that ${fault}`, async () => {
      const subject = storageCases.find(({ id }) => id === found);
      expect(subject, `no case ${found}`).toBeDefined();
      const storage = create();
      await expect(subject?.run({ storage, close: () => storage.close() })).rejects.toThrow();
    });
  }
});
