import type { JsonObject } from "@artificer/protocol";
import { corrupt, readJson } from "../files/read-json.js";
import type { FileMark } from "./file-mark.js";

/** One version of a blob, as it is known without its bytes. */
export interface BlobVersion {
  revision: string;
  /** Of the bytes, in hexadecimal. */
  sha256: string;
  metadata: JsonObject;
  /** The file that holds it, when that was last looked at. */
  file?: FileMark;
}

/**
 * What `.state/blobs` keeps of a blob beside its file. Bytes and metadata change together though they are two files: the new
 * version is noted here first, beside the old one; the file that is then moved into place decides which of the two holds.
 */
export interface Sidecar {
  /** The newest first. */
  versions: BlobVersion[];
  /** Set while the file is being deleted: what comes after it is a new blob. */
  deleting?: boolean;
}

const mend = "Delete it: the blob's bytes stay, its metadata is lost.";

/** @throws ArtificerError `storage/corrupt` */
export async function readSidecar(path: string): Promise<Sidecar | undefined> {
  const json = await readJson(path, mend);
  if (json === undefined) return undefined;
  const { versions } = json;
  if (!Array.isArray(versions) || !versions.every(isVersion)) throw corrupt(path, mend, "it has no list of versions");
  return json as unknown as Sidecar;
}

function isVersion(value: unknown): boolean {
  const version = value as Partial<BlobVersion> | null;
  const { revision, sha256, metadata } = typeof version === "object" && version !== null ? version : {};
  return (
    typeof revision === "string" && typeof sha256 === "string" && typeof metadata === "object" && metadata !== null
  );
}
