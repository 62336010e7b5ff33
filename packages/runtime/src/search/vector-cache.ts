import { createHash } from "node:crypto";
import { type BlobInfo, type Embedder, type EmbedOptions, type Storage, storageKey } from "@artificer/protocol";
import { listBlobs } from "./stored/list-blobs.js";
import { oneAtATime } from "./stored/one-at-a-time.js";
import { readBlob } from "./stored/read-blob.js";
import { decodeSegment, encodeSegment, vectorKey } from "./vector-segment.js";

/** Segments that may pile up before the small ones are merged into one. */
const maxSegments = 16;

type EmbedRole = NonNullable<EmbedOptions["role"]>;

export interface VectorCacheOptions {
  storage: Storage;
  /** Keys of this cache begin with it. */
  prefix: string;
  embedder: Embedder;
  /** Told when a stored segment is damaged; its vectors are computed again. */
  onProblem: (message: string) => void;
}

/** Vectors of texts, computed once and kept in storage for every later session and process. */
export interface VectorCache {
  /** @returns a vector for each text, in order; computes and stores those that nobody has yet. */
  vectors(texts: readonly string[], options: { role: EmbedRole; signal?: AbortSignal }): Promise<Float32Array[]>;
  /** @returns the vectors of those texts that somebody has stored, and computes none. */
  stored(
    texts: readonly string[],
    options: { role: EmbedRole; signal?: AbortSignal },
  ): Promise<ReadonlyMap<string, Float32Array>>;
}

/**
 * New vectors go into a new segment whose name is the hash of its bytes, and a segment is never changed: any number of
 * processes write without a lock and none undoes another's work. A segment that is gone was merged into a larger one.
 */
export function createVectorCache({ storage, prefix, embedder, onProblem }: VectorCacheOptions): VectorCache {
  const folder = storageKey(`${prefix}/${modelFolder(embedder.model)}`);
  const known = new Map<string, Float32Array>();
  const seen = new Set<string>();

  /** Reads segments that this process has not seen yet, its own excepted. */
  async function refresh(signal?: AbortSignal): Promise<void> {
    for (const info of await listBlobs(storage.blobs, `${folder}/`, { signal })) {
      if (seen.has(info.key)) continue;
      const segment = await readBlob(storage.blobs, info.key, { signal });
      if (segment === undefined) continue;
      const vectors = decodeSegment(segment.bytes, embedder.dimensions);
      if (vectors === undefined) await discard(info);
      for (const [key, vector] of vectors ?? []) known.set(key, vector);
      seen.add(info.key);
    }
  }

  async function discard(info: BlobInfo): Promise<void> {
    onProblem(`The stored vectors in ${info.key} are damaged; they are computed again.`);
    // Only this very blob: another process may have replaced it meanwhile.
    await storage.blobs.delete(info.key, { ifRevision: info.revision }).catch(() => false);
  }

  async function write(vectors: ReadonlyMap<string, Float32Array>): Promise<void> {
    const bytes = encodeSegment(vectors, embedder.dimensions);
    const name = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
    const key = storageKey(`${folder}/${name}.vectors`);
    await storage.blobs.write(key, bytes);
    seen.add(key);
  }

  /** Merges small segments; what is stored twice on the way, or merged by two processes, does no harm. */
  async function compact(): Promise<void> {
    const segments = await listBlobs(storage.blobs, `${folder}/`);
    if (segments.length <= maxSegments) return;
    const merged = new Map<string, Float32Array>();
    const replaced: BlobInfo[] = [];
    let mergedBytes = 0;
    for (const info of segments.sort((left, right) => left.size - right.size)) {
      if (replaced.length > 1 && info.size > 4 * mergedBytes) break;
      const segment = await readBlob(storage.blobs, info.key);
      const vectors = segment && decodeSegment(segment.bytes, embedder.dimensions);
      // A damaged one is told of and discarded by the next refresh.
      if (vectors === undefined) continue;
      for (const [key, vector] of vectors) merged.set(key, vector);
      replaced.push(info);
      mergedBytes += info.size;
    }
    await write(merged);
    for (const info of replaced) await storage.blobs.delete(info.key, { ifRevision: info.revision }).catch(() => false);
  }

  async function compute(texts: ReadonlyMap<string, string>, options: EmbedOptions): Promise<void> {
    const keys = [...texts.keys()];
    const vectors = await embedder.embed([...texts.values()], options);
    const fresh = new Map(keys.map((key, at) => [key, vectors[at]!]));
    for (const [key, vector] of fresh) known.set(key, vector);
    try {
      await write(fresh);
      await compact();
    } catch (error) {
      // They can be had again: a full or read-only store must not stop a search.
      onProblem(`Vectors could not be stored and will be computed again in the next session: ${messageOf(error)}`);
    }
  }

  const keyOf = (text: string, role: EmbedRole) => vectorKey(`${role}\n${text}`);

  return {
    async stored(texts, { role, signal }) {
      if (texts.some((text) => !known.has(keyOf(text, role)))) await refresh(signal);
      const found = texts.map((text) => [text, known.get(keyOf(text, role))] as const);
      return new Map(found.flatMap(([text, vector]) => (vector === undefined ? [] : [[text, vector] as const])));
    },
    async vectors(texts, options) {
      const keys = texts.map((text) => keyOf(text, options.role));
      const missing = () =>
        new Map(keys.map((key, at) => [key, texts[at]!] as const).filter(([key]) => !known.has(key)));
      const isDone = async () => {
        if (missing().size > 0) await refresh(options.signal);
        return missing().size === 0;
      };
      if (!(await isDone()))
        await oneAtATime(storage, `${folder}/embedding`, () => compute(missing(), options), { ...options, isDone });
      return keys.map((key) => known.get(key)!);
    },
  };
}

/** A model's id as one segment of a key, different for different ids. */
export function modelFolder(model: string): string {
  const readable = model.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 60);
  return `m-${readable}-${createHash("sha256").update(model).digest("hex").slice(0, 8)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
