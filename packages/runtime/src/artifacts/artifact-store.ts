import type { JsonObject, Value } from "@artificer/protocol";

export type ArtifactKind = "text" | "json" | "bytes" | "value";

export interface ArtifactInfo {
  /** Nested names are joined by `/`. */
  name: string;
  kind: ArtifactKind;
  contentType: string;
  bytes: number;
  revision: string;
  description?: string;
  metadata: JsonObject;
  updatedAt: Date;
}

export interface ArtifactSaveOptions {
  contentType?: string;
  description?: string;
  metadata?: JsonObject;
  /** Refuses to replace: `artifact/exists`. */
  ifAbsent?: boolean;
  /** Refuses to replace another version: `artifact/conflict`. */
  ifRevision?: string;
  signal?: AbortSignal;
}

/** Named values and files kept beyond the session. Text stays text, bytes stay bytes, all else is kept by the value codec as JSON. */
export interface ArtifactStore {
  save(name: string, value: Value, options?: ArtifactSaveOptions): Promise<ArtifactInfo>;
  /** @throws ArtificerError `artifact/not-found`, naming the nearest. */
  load(name: string): Promise<Value>;
  get(name: string): Promise<ArtifactInfo>;
  list(options?: { prefix?: string }): Promise<ArtifactInfo[]>;
  exists(name: string): Promise<boolean>;
  delete(name: string): Promise<boolean>;
}
