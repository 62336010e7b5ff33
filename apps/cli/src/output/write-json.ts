import type { CliIo } from "../context.js";

/** Writes one JSON document on a line of its own to stdout. */
export function writeJson(io: CliIo, document: unknown): void {
  io.stdout.write(`${JSON.stringify(document)}\n`);
}
