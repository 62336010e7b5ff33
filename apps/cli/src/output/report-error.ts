import { toArtificerError } from "@artificer/protocol";
import type { CliIo } from "../context.js";
import { writeJson } from "./write-json.js";

/** Tells an error: on stdout as `{"error": …}` with `json`, else on stderr as message and hint; the stack only with `debug`. */
export function reportError(io: CliIo, thrown: unknown, options: { json?: boolean; debug?: boolean } = {}): void {
  const error = toArtificerError(thrown);
  if (options.json) writeJson(io, { error: error.toJSON() });
  else {
    io.stderr.write(`artificer: ${error.message}\n`);
    if (error.hint !== undefined) io.stderr.write(`  hint: ${error.hint}\n`);
  }
  if (options.debug) io.stderr.write(`${stackOf(error)}\n`);
  else if (error.code === "internal/fault" && !options.json) {
    io.stderr.write("  This is a fault of Artificer itself; run again with --debug to see where.\n");
  }
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\nCaused by: ${stackOf(error.cause)}` : "";
  return `${error.stack ?? error.message}${cause}`;
}
