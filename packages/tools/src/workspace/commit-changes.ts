import type { PlannedChange } from "./plan-changes.js";
import type { WorkspaceContext } from "./workspace-context.js";
import { removeInside, writeInside } from "./write-inside.js";

/**
 * Makes all changes or none: when one fails, those made before are undone.
 *
 * @throws ArtificerError what became of the one that failed.
 */
export async function commitChanges({ root }: WorkspaceContext, changes: readonly PlannedChange[]): Promise<void> {
  const put = ({ place }: PlannedChange, content: Uint8Array | undefined) =>
    content === undefined ? removeInside(root, place) : writeInside(root, place, content);
  const made: PlannedChange[] = [];
  try {
    for (const change of changes) {
      await put(change, change.after);
      made.push(change);
    }
  } catch (error) {
    // Every one is tried; what is told is what failed first.
    for (const change of made.reverse()) await Promise.resolve(put(change, change.before)).catch(() => {});
    throw error;
  }
}
