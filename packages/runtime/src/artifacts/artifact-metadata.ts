import type { BlobInfo, JsonObject } from "@artificer/protocol";
import type { ArtifactContent } from "./artifact-content.js";
import { artifactPrefix } from "./artifact-key.js";
import type { ArtifactInfo, ArtifactKind, ArtifactSaveOptions } from "./artifact-store.js";
import { contentTypeOf } from "./content-types.js";

const kinds: readonly ArtifactKind[] = ["text", "json", "bytes", "value"];

const usualTypes: Record<ArtifactKind, string> = {
  text: "text/plain",
  json: "application/json",
  bytes: "application/octet-stream",
  value: "application/json",
};

/** What is kept with the blob. The user's own metadata have a place of their own, so that no name of theirs is taken. */
export function blobMetadata(content: ArtifactContent, options: ArtifactSaveOptions): JsonObject {
  const { contentType = content.contentType, description, metadata } = options;
  return {
    kind: content.kind,
    contentType,
    ...(description === undefined ? {} : { description }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** The kind that was kept; undefined for a file that somebody put there. */
export function keptKind({ metadata }: BlobInfo): ArtifactKind | undefined {
  return kinds.find((kind) => kind === metadata.kind);
}

export function artifactInfo(blob: BlobInfo, kind: ArtifactKind): ArtifactInfo {
  const name = blob.key.slice(artifactPrefix.length);
  const { contentType, description, metadata } = blob.metadata;
  return {
    name,
    kind,
    contentType: typeof contentType === "string" ? contentType : (contentTypeOf(name) ?? usualTypes[kind]),
    bytes: blob.size,
    revision: blob.revision,
    ...(typeof description === "string" ? { description } : {}),
    metadata: typeof metadata === "object" && metadata !== null && !Array.isArray(metadata) ? metadata : {},
    updatedAt: blob.updatedAt,
  };
}
