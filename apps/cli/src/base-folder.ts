import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { ArtificerError } from "@artificer/protocol";
import type { CliIo } from "./context.js";

/** The base folder that a command means: `--base`, else `$ARTIFICER_BASE`, else `./.artificer`. */
export function baseFolder(io: CliIo, given: string | undefined): string {
  if (given === "") {
    throw new ArtificerError("usage/invalid-argument", "--base is empty.", {
      hint: "Name a folder: --base ./.artificer",
    });
  }
  return resolve(io.cwd, given ?? (io.env.ARTIFICER_BASE || join(io.cwd, ".artificer")));
}

/**
 * The same, for commands that only look at what is there: a mistyped name must not lay out a new base.
 *
 * @throws ArtificerError `session/base-missing`
 */
export function existingBaseFolder(io: CliIo, given: string | undefined): string {
  const base = baseFolder(io, given);
  if (existsSync(base)) return base;
  throw new ArtificerError("session/base-missing", `There is no base folder at ${base}.`, {
    details: { base },
    hint: "Lay one out with `artificer init`, or name another with --base or $ARTIFICER_BASE.",
  });
}
