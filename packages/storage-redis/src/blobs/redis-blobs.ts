import {
  ArtificerError,
  type BlobInfo,
  type BlobStore,
  byteChunks,
  checkRevision,
  equalChunks,
  type JsonObject,
  oneChunk,
  readOnce,
  smallOrLarge,
  storageKey,
  storedJson,
  untilAborted,
  type WriteOptions,
} from "@artificer/protocol";
import { outcomeOf, type RedisBase } from "../connection.js";
import { listPage } from "../list-page.js";
import { randomText } from "../random-text.js";
import { deleteBlob, readBlob, writeBlob } from "../scripts/blob-scripts.js";
import { expectation, newVersion } from "../scripts/record-scripts.js";
import {
  chunkBytes,
  dropVersion,
  keptSeconds,
  readVersion,
  type StagedVersion,
  stageVersion,
} from "./chunked-versions.js";

/** What a writer brings: the bytes of a small blob, or the version that holds a large one's. */
type Content = { bytes: Uint8Array } | StagedVersion;

/** Blobs as fields of one hash, small ones' bytes in another, large ones' in a hash of chunks for each version. */
export function createRedisBlobs(base: RedisBase): BlobStore {
  const { connection, keys, gate } = base;

  const stage = async (source: AsyncGenerator<Uint8Array>): Promise<Content> => {
    const content = await smallOrLarge(source);
    return "large" in content ? stageVersion(base, content.large) : { bytes: content.small };
  };

  const currentInfo = async (key: string) => {
    const stored = (await connection.run("read", ["HGET", keys.blobs, key], "text")) as string | null;
    return stored === null ? undefined : parse(key, stored);
  };

  /** The one step by which the old bytes and metadata become the new. */
  const commit = async (
    key: string,
    content: Content,
    options: WriteOptions & { metadata: string },
  ): Promise<BlobInfo> => {
    const { ifRevision, metadata } = options;
    const revision = randomText();
    const isSmall = "bytes" in content;
    const size = isSmall ? content.bytes.byteLength : content.size;
    const version = isSmall ? "" : content.version;
    for (let replaced = ""; ; ) {
      const chunkKeys = [keys.chunks(replaced), keys.chunks(version)];
      const own = [keys.blobs, keys.blobKeys, keys.smallBlobs, ...chunkKeys, keys.versions];
      const given = [
        key,
        expectation(ifRevision),
        replaced,
        String(keptSeconds),
        revision,
        String(size),
        version,
        metadata,
      ];
      const bytes = isSmall ? Buffer.from(content.bytes) : "";
      const chunks = isSmall ? "0" : String(content.chunks);
      const reply = await connection.script("write", writeBlob, own, [...given, chunks, bytes, newVersion()]);
      const { outcome, detail } = outcomeOf(reply);
      if (outcome === "conflict") checkRevision(key, ifRevision, detail);
      if (outcome === "lost") throw lost(key);
      if (outcome === "done")
        return {
          key,
          size,
          revision,
          metadata: JSON.parse(metadata) as JsonObject,
          updatedAt: new Date(Number(detail)),
        };
      replaced = detail ?? "";
    }
  };

  return {
    stat: (rawKey, { signal } = {}) =>
      gate.pass(signal, async () => {
        const found = await currentInfo(storageKey(rawKey));
        return found?.info;
      }),

    read: (rawKey, { signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        const reply = await connection.script("read", readBlob, [keys.blobs, keys.smallBlobs], [key]);
        const [stored, bytes] = reply as [Buffer | null, Buffer | null];
        if (stored === null) return undefined;
        const { info, version } = parse(key, stored.toString());
        const chunks = version === "" ? oneChunk(bytes) : readVersion(base, { version, key, size: info.size });
        return { info, bytes: readOnce(untilAborted(chunks, signal)) };
      }),

    write: (rawKey, bytes, { ifRevision, metadata: rawMetadata = {}, signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        const metadata = storedJson(key, rawMetadata);
        const source = equalChunks(byteChunks(key, bytes, signal), chunkBytes);
        let content: Content | undefined;
        try {
          // Before the bytes travel in vain; what counts is the look at the end.
          if (ifRevision !== undefined) checkRevision(key, ifRevision, (await currentInfo(key))?.info.revision);
          content = await stage(source);
          signal?.throwIfAborted();
          return await commit(key, content, { ifRevision, metadata });
        } catch (error) {
          // Unless it may have become the blob without our knowing: then it expires if it did not.
          if (content !== undefined && "version" in content && !ArtificerError.is(error, "storage/unavailable"))
            await dropVersion(base, content.version);
          throw error;
        } finally {
          await source.return(undefined);
        }
      }),

    delete: (rawKey, { ifRevision, signal } = {}) =>
      gate.pass(signal, async () => {
        const key = storageKey(rawKey);
        for (let version = ""; ; ) {
          const own = [keys.blobs, keys.blobKeys, keys.smallBlobs, keys.chunks(version), keys.versions];
          const given = [key, expectation(ifRevision), version, String(keptSeconds), newVersion()];
          const { outcome, detail } = outcomeOf(await connection.script("write", deleteBlob, own, given));
          if (outcome === "conflict") checkRevision(key, ifRevision, detail);
          if (outcome !== "other") return outcome === "done";
          version = detail ?? "";
        }
      }),

    list: (prefix, options = {}) =>
      gate.pass(options.signal, () =>
        listPage(
          base,
          { values: keys.blobs, keys: keys.blobKeys, show: (key, stored) => parse(key, stored).info },
          { ...options, prefix },
        ),
      ),
  };
}

/** revision|milliseconds|size|version|metadata, as the scripts write it. */
function parse(key: string, stored: string): { info: BlobInfo; version: string } {
  const [revision = "", updatedMs, size, version = ""] = stored.split("|", 4);
  const head = [revision, updatedMs, size, version].join("|");
  const metadata = JSON.parse(stored.slice(head.length + 1)) as JsonObject;
  return { info: { key, size: Number(size), revision, metadata, updatedAt: new Date(Number(updatedMs)) }, version };
}

function lost(key: string): ArtificerError {
  return new ArtificerError("storage/unavailable", `${key} was not written: its unfinished bytes are gone.`, {
    details: { key },
    hint: "The writer stood still for minutes, or the server was short of memory. Write it again.",
  });
}
