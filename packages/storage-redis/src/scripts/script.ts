import { createHash } from "node:crypto";

/** A Lua script, which the server runs as one step. Every key it touches is among its KEYS, as clusters and proxies demand. */
export interface Script {
  readonly source: string;
  readonly sha1: string;
}

export function script(source: string): Script {
  return { source, sha1: createHash("sha1").update(source).digest("hex") };
}
