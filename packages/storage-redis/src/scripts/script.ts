import { createHash } from "node:crypto";
import type { ReplyStrings } from "../connection.js";

/** A Lua script, which the server runs as one step. Every key it touches is among its KEYS, as clusters and proxies demand. */
export interface Script {
  readonly source: string;
  readonly sha1: string;
  /** What the strings of its reply are. */
  readonly strings: ReplyStrings;
}

export function script(source: string, { strings = "bytes" }: { strings?: ReplyStrings } = {}): Script {
  return { source, sha1: createHash("sha1").update(source).digest("hex"), strings };
}
