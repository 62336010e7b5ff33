import { ArtificerError } from "@artificer/protocol";
import { applyPatch } from "diff";
import type { FileChange } from "./file-change.js";
import { nearestPassage } from "./nearest-passage.js";
import { PatchProblem } from "./patch-failure.js";
import { applyHunks } from "./patch-hunk.js";
import { readInside } from "./read-inside.js";
import { decodeForEditing, encodeText } from "./text-file.js";
import type { WorkspaceContext } from "./workspace-context.js";
import type { WorkspacePath } from "./workspace-root.js";

/** One file's content before and after; undefined where there is no file. */
export interface PlannedChange {
  action: FileChange["action"] | "move";
  place: WorkspacePath;
  before: Uint8Array | undefined;
  after: Uint8Array | undefined;
  fuzzy: boolean;
}

/**
 * Works out what a patch does to each file, and changes nothing yet.
 *
 * @throws PatchProblem for what does not fit; ArtificerError for paths and files that can't be used.
 */
export async function planChanges(
  context: WorkspaceContext,
  changes: readonly FileChange[],
  signal: AbortSignal,
): Promise<PlannedChange[]> {
  const planned: PlannedChange[] = [];
  const taken = new Set<string>();
  const plan = (change: PlannedChange) => {
    if (taken.has(change.place.absolute)) {
      throw new PatchProblem({
        error: `the patch changes ${change.place.shown} twice`,
        path: change.place.shown,
        hint: "Put all changes of a file under one header.",
      });
    }
    taken.add(change.place.absolute);
    planned.push(change);
  };
  for (const change of changes) {
    if (change.action === "create") {
      const place = await context.root.locate(change.path);
      await mustBeFree(context, place, signal);
      plan({ action: "create", place, before: undefined, after: encodeText(change.content, false), fuzzy: false });
      continue;
    }
    const { bytes, ...file } = await readInside(context.root, change.path, {
      maxBytes: context.limits.maxFileBytes,
      signal,
    });
    const place = { absolute: file.absolute, shown: file.shown };
    if (change.action === "delete") {
      plan({ action: "delete", place, before: bytes, after: undefined, fuzzy: false });
      continue;
    }
    const { text, bom } = decodeForEditing(bytes, place.shown);
    const applied = applyUpdate(text, change, place.shown);
    const after = encodeText(applied.text, bom);
    const target = change.moveTo === undefined ? undefined : await context.root.locate(change.moveTo);
    if (target === undefined || target.absolute === place.absolute) {
      plan({ action: "update", place, before: bytes, after, fuzzy: applied.fuzzy });
      continue;
    }
    await mustBeFree(context, target, signal);
    plan({ action: "create", place: target, before: undefined, after, fuzzy: applied.fuzzy });
    plan({ action: "move", place, before: bytes, after: undefined, fuzzy: false });
  }
  return planned;
}

function applyUpdate(text: string, change: FileChange & { action: "update" }, shown: string) {
  if (change.unified !== undefined) {
    const patched = applyPatch(text, change.unified, { autoConvertLineEndings: true });
    if (patched !== false) return { text: patched, fuzzy: false };
  }
  const result = applyHunks(text, change.hunks);
  if (result.done)
    return { text: result.text, fuzzy: result.fuzzy || change.unified !== undefined || change.loose === true };
  const nearest = nearestPassage(text, result.wanted);
  throw new PatchProblem({
    error: `hunk ${result.hunk} does not fit ${shown}: these lines are not there: ${JSON.stringify(result.wanted.slice(0, 500))}`,
    path: shown,
    hint:
      nearest === undefined ? "Read the file again." : `Line ${nearest.line} comes nearest; read the file there again.`,
    ...(nearest === undefined ? {} : { nearest }),
  });
}

async function mustBeFree(context: WorkspaceContext, place: WorkspacePath, signal: AbortSignal): Promise<void> {
  try {
    await readInside(context.root, place.absolute, { maxBytes: Number.POSITIVE_INFINITY, signal });
  } catch (error) {
    if (ArtificerError.is(error, "tool/file-missing")) return;
    throw error;
  }
  throw new PatchProblem({
    error: `${place.shown} exists already`,
    path: place.shown,
    hint: "Update it, or replace it with write_file.",
  });
}
