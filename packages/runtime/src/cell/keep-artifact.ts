import type { Value } from "@artificer/protocol";
import type { ArtifactStore } from "../artifacts/artifact-store.js";
import { keptMark } from "../artifacts/kept-outputs.js";

/** Keeps what an outcome can't carry. Returns the artifact's name; when it can't be kept, undefined and a notice that says why. */
export async function keepArtifact(
  artifacts: ArtifactStore,
  kept: { name: string; value: Value; description: string },
  notices: string[],
): Promise<string | undefined> {
  const { name, value, description } = kept;
  try {
    await artifacts.save(name, value, { description, metadata: keptMark });
    return name;
  } catch (thrown) {
    notices.push(`The ${description} could not be kept: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return undefined;
  }
}
