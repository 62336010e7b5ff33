import { ensurePrograms } from "@artificer/testkit/confinement";
import { createSandboxExecutor } from "../../src/sandbox/index.js";

/** Why sandboxes can't be tried on this machine; undefined when they can. */
export async function whyNoSandbox(): Promise<string | undefined> {
  if (process.platform === "linux") {
    const missing = await ensurePrograms({ bwrap: "bubblewrap" });
    if (missing !== undefined) return missing;
  }
  return (await createSandboxExecutor().probe()).reason;
}
