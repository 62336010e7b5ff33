import type { StructuredPatch } from "diff";
import type { PatchHunk } from "./patch-hunk.js";

/** What a patch wants of one file. */
export type FileChange =
  | { action: "create"; path: string; content: string }
  | { action: "delete"; path: string }
  | {
      action: "update";
      path: string;
      /** Where the file is to be afterwards, when it moves. */
      moveTo?: string;
      hunks: PatchHunk[];
      /** The same as a unified diff has it, with line numbers; tried first. */
      unified?: StructuredPatch;
      /** Its counts were wrong: it was read by what it shows alone. */
      loose?: boolean;
    };
