import type { Embedder } from "@artificer/protocol";
import type { DoctorCheck } from "./doctor-report.js";
import { failedCheck } from "./failed-check.js";

/** Whether the model of search loads and gives vectors; it is closed afterwards. Undefined: search is set to go by words alone. */
export async function checkEmbedder(
  embedder: Embedder | undefined,
  options: { signal?: AbortSignal } = {},
): Promise<DoctorCheck> {
  const name = "embedder";
  if (embedder === undefined) return { name, status: "ok", detail: "off by configuration: search goes by words alone" };
  try {
    await embedder.embed(["a sentence to try it with"], options);
    return { name, status: "ok", detail: `${embedder.model} loads, ${embedder.dimensions} dimensions` };
  } catch (thrown) {
    // Search goes on by words alone, so this is no reason not to work.
    return failedCheck(name, thrown, "warn");
  } finally {
    await embedder.close?.();
  }
}
