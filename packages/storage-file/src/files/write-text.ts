import type { FileBase } from "../file-base.js";
import { moveIntoPlace } from "./move-into-place.js";

/** Replaces a file of ours by this text, at once and for good. */
export async function writeText(base: FileBase, path: string, text: string, fsync = base.fsync): Promise<void> {
  const draft = await base.drafts.write([Buffer.from(text)]);
  try {
    await moveIntoPlace(draft.path, path, { fsync, folder: base.folder });
  } catch (error) {
    await base.drafts.discard(draft);
    throw error;
  }
}
