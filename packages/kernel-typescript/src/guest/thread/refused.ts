import { ArtificerError } from "../guest-error.js";

/** What a kernel can't have that is a thread of its host's process. */
export function refused(what: string, instead: string): ArtificerError {
  return new ArtificerError({
    code: "executor/unsupported",
    message: `An in-process kernel has no ${what}: it is a thread of its host's process.`,
    hint: `${instead}, or choose the subprocess executor.`,
  });
}
