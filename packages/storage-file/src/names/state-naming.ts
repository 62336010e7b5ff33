import { join } from "node:path";
import { joinChunks, nameChunks } from "./name-chunks.js";
import type { Naming } from "./naming.js";
import { percentDecode, percentEncode } from "./percent.js";

/**
 * Names for what nobody edits by hand: lower-case ASCII alone, so that case and Unicode forms never matter, files ending in
 * `.json` and folders in `.d`, so that a key and the keys below it never meet.
 */
export const stateNaming: Naming = {
  write: (segment, folder) => [stateNames(segment, folder)],
  read(names, folder) {
    const suffix = folder ? ".d" : ".json";
    const last = names.at(-1) ?? "";
    if (!last.endsWith(suffix)) return undefined;
    const joined = joinChunks([...names.slice(0, -1), last.slice(0, -suffix.length)]);
    const segment = joined === undefined ? undefined : percentDecode(joined);
    return segment !== undefined && encode(segment) === joined ? segment : undefined;
  },
};

/** Where the JSON file of a key lies below `root`. */
export function statePath(root: string, key: string): string {
  const segments = key.split("/");
  return join(root, ...segments.flatMap((segment, index) => stateNames(segment, index < segments.length - 1)));
}

function stateNames(segment: string, folder: boolean): string[] {
  const chunks = nameChunks(encode(segment));
  chunks.push(`${chunks.pop()}${folder ? ".d" : ".json"}`);
  return chunks;
}

function encode(segment: string): string {
  return percentEncode(segment, /[^a-z0-9_.-]+/gu);
}
