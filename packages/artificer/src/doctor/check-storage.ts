import { existsSync } from "node:fs";
import { join } from "node:path";
import { openFileStorage } from "@artificer/storage-file";
import type { DoctorCheck } from "./doctor-report.js";
import { failedCheck } from "./failed-check.js";
import { howVectorsAreKept } from "./how-vectors-are-kept.js";

/** Whether what is kept in a base can be read. */
export async function checkStorage(base: string): Promise<DoctorCheck> {
  const name = "storage";
  // Opening would make it, and to look must not change anything.
  if (!existsSync(join(base, ".state"))) return { name, status: "ok", detail: "nothing is kept yet" };
  try {
    const storage = await openFileStorage(base);
    try {
      await storage.records.list("", { limit: 1 });
      await storage.blobs.list("", { limit: 1 });
      const vectors = howVectorsAreKept(storage);
      return { name, status: "ok", detail: `${storage.kind} storage in ${base} can be read; ${vectors}` };
    } finally {
      await storage.close();
    }
  } catch (thrown) {
    return failedCheck(name, thrown);
  }
}
