import type { BlobInfo } from "@artificer/protocol";
import type { FoundFile } from "./blob-places.js";
import type { BlobVersion } from "./sidecar.js";

/** What is told of a blob: its file and the version in it. */
export function blobInfo(key: string, { stat }: FoundFile, version: BlobVersion): BlobInfo {
  return {
    key,
    size: Number(stat.size),
    revision: version.revision,
    metadata: structuredClone(version.metadata),
    updatedAt: new Date(Number(stat.mtimeNs / 1_000_000n)),
  };
}
