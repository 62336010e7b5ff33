import { randomBytes } from "node:crypto";
import {
  ArtificerError,
  type Language,
  type SnapshotFailure,
  type SnapshotSaveResult,
  type Storage,
  storageKey,
  toArtificerError,
} from "@artificer/protocol";
import { listBlobs } from "../search/stored/list-blobs.js";
import { readBlob } from "../search/stored/read-blob.js";
import type { Signer } from "./create-signer.js";
import { inParallel } from "./in-parallel.js";
import {
  manifestFromRecord,
  manifestToRecord,
  type SnapshotManifest,
  type SnapshotPiece,
} from "./snapshot-manifest.js";

/** A piece up to this size stands in the manifest, as long as all such pieces together stay small. */
const maxInlineBytes = 4096;
const maxInlineTotalBytes = 256 * 1024;
/** Blobs that no manifest names may belong to a save under way elsewhere; after this time they are rubbish. */
const orphanAgeMs = 600_000;
const parallelWrites = 8;

export interface SnapshotStoreOptions {
  storage: Storage;
  session: string;
  language: Language;
  owner: string | undefined;
  signer: Signer;
}

export interface SavedCell {
  cell: number;
  generation: number;
  /** Pieces of the stored snapshot to keep beside the new ones, unless a variable of theirs is there again. */
  carried: readonly SnapshotPiece[];
}

/** The stored snapshot of one session and language: a signed manifest as a record, large pieces as blobs. */
export interface SnapshotStore {
  /** The snapshot as last read or written here. */
  readonly current: SnapshotManifest | undefined;
  /** Whether what is stored could not be read; `load` tries again, and so does `commit`. */
  readonly unread: boolean;
  /** Tags of the pieces that a save need not bring again. None when an older key signed them: then all are to be signed anew. */
  readonly reusable: readonly string[];
  /**
   * Reads the manifest.
   *
   * @throws ArtificerError `snapshot/not-authentic`, and the next `commit` replaces it; `snapshot/other-key`, and `commit` refuses to.
   */
  load(): Promise<SnapshotManifest | undefined>;
  /** A piece's bytes, proven to be those that were saved. @throws ArtificerError `snapshot/not-authentic`, `storage/corrupt` */
  read(piece: SnapshotPiece): Promise<Uint8Array>;
  /**
   * Stores a save: new blobs first, then the manifest by compare-and-set, then what nobody needs any more is deleted.
   * Whatever moment the process ends at, the old snapshot or the new one is there, whole. One that could not be read and now can
   * keeps its pieces beside the new ones; one that is corrupt is replaced.
   *
   * @returns variables that the storage would not take.
   * @throws ArtificerError `snapshot/conflict` when another writer came first; `snapshot/other-key` when it would replace what a key signed
   * that is not ours.
   */
  commit(result: SnapshotSaveResult, saved: SavedCell): Promise<SnapshotFailure[]>;
  /** Deletes the snapshot. */
  clear(): Promise<void>;
}

export function createSnapshotStore(options: SnapshotStoreOptions): SnapshotStore {
  const { storage, session, language, owner, signer } = options;
  const key = storageKey(`snapshots/${session}/${language}`);
  // Writers never share a blob, so that none can delete what another is about to name.
  const own = `${key}/${randomBytes(6).toString("hex")}`;
  let current: SnapshotManifest | undefined;
  /** Undefined: whatever is stored is replaced. */
  let revision: string | null | undefined = null;
  let unread = false;
  /** The key that signed what is stored. */
  let signedBy: string | undefined;
  /** Why what is stored can't be read here, though it may be sound. */
  let foreign: ArtificerError | undefined;
  /** Pieces that no kernel here was given: of a snapshot that could not be read in time. */
  let late: readonly SnapshotPiece[] = [];
  let swept = false;

  const sign = (tag: string, data: Uint8Array) => signer.sign("piece", session, language, tag, data);

  const blobKeys = (manifest: SnapshotManifest | undefined) =>
    [...(manifest?.pieces ?? []), ...(manifest === undefined ? [] : [manifest.facts])].flatMap(
      ({ blob }) => blob ?? [],
    );

  const discard = async (keys: readonly string[]) => {
    // A blob that stays costs space alone; the sweep of a later session gets it.
    await inParallel(keys, parallelWrites, (blob) => storage.blobs.delete(blob).catch(() => false));
  };

  const sweep = async () => {
    if (swept) return;
    swept = true;
    const named = new Set(blobKeys(current));
    const before = Date.now() - orphanAgeMs;
    const found = await listBlobs(storage.blobs, `${key}/`);
    await discard(
      found.filter((blob) => !named.has(blob.key) && blob.updatedAt.getTime() < before).map(({ key }) => key),
    );
  };

  const place = async (
    group: { tag: string; names: string[]; bytes: number; isolated: boolean; data?: Uint8Array | undefined },
    room: { inline: number },
    written: string[],
  ): Promise<SnapshotPiece> => {
    const { data, tag, names, isolated } = group;
    if (data === undefined) {
      const stored = [...(current?.pieces ?? []), ...(current === undefined ? [] : [current.facts])].find(
        (piece) => piece.tag === tag,
      );
      if (stored?.inline !== undefined) room.inline += stored.bytes;
      if (stored !== undefined) return { ...stored, names, isolated };
      throw new ArtificerError("kernel/protocol-violation", "the kernel did not send its bytes.");
    }
    const piece = { tag, names, isolated, bytes: data.byteLength, signature: sign(tag, data) };
    if (data.byteLength <= maxInlineBytes && room.inline + data.byteLength <= maxInlineTotalBytes) {
      room.inline += data.byteLength;
      return { ...piece, inline: Buffer.from(data).toString("base64") };
    }
    const blob = storageKey(`${own}/${tag}`);
    written.push(blob);
    await storage.blobs.write(blob, data);
    return { ...piece, blob };
  };

  const put = async (manifest: SnapshotManifest) => {
    try {
      const condition = revision === undefined ? {} : { ifRevision: revision };
      revision = await storage.records.put(key, manifestToRecord(manifest, signer), condition);
      signedBy = signer.keyId;
    } catch (thrown) {
      if (ArtificerError.is(thrown, "storage/conflict")) throw conflict(session, thrown);
      throw thrown;
    }
  };

  const load = async () => {
    current = undefined;
    late = [];
    unread = true;
    const record = await storage.records.get(key);
    unread = false;
    revision = record?.revision ?? null;
    foreign = undefined;
    if (record === undefined) return undefined;
    try {
      const found = manifestFromRecord(record.value, { session, language, owner }, signer);
      signedBy = found.keyId;
      current = found.manifest;
    } catch (thrown) {
      if (ArtificerError.is(thrown, "snapshot/other-key")) foreign = thrown;
      throw thrown;
    }
    return current;
  };

  const read: SnapshotStore["read"] = async (piece) => {
    const bytes =
      piece.inline === undefined
        ? (await readBlob(storage.blobs, piece.blob ?? ""))?.bytes
        : Buffer.from(piece.inline, "base64");
    if (bytes === undefined) throw new ArtificerError("storage/corrupt", "its stored bytes are gone");
    if (signer.signedBy(piece.signature, "piece", session, language, piece.tag, bytes) !== undefined) return bytes;
    throw new ArtificerError("snapshot/not-authentic", "its stored bytes are not those that were saved");
  };

  /** Pieces that no kernel here holds, under the key that signs now. One that can't be read stays as it is: it may be readable later. */
  const signAnew = (pieces: readonly SnapshotPiece[]): Promise<SnapshotPiece[]> =>
    inParallel(pieces, parallelWrites, async (piece) => {
      if (signedBy === undefined || signedBy === signer.keyId) return piece;
      const bytes = await read(piece).catch(() => undefined);
      return bytes === undefined ? piece : { ...piece, signature: sign(piece.tag, bytes) };
    });

  /** What was not read in time is not replaced for want of it. */
  const readLate = async (): Promise<void> => {
    if (!unread) return;
    try {
      late = (await load())?.pieces ?? [];
    } catch (thrown) {
      const isCorrupt = ArtificerError.is(thrown, "storage/corrupt");
      if (foreign !== undefined || (unread && !isCorrupt)) throw thrown;
      // Nobody will ever read it, and it must not keep others from being saved.
      if (unread) revision = undefined;
      unread = false;
    }
  };

  return {
    get current() {
      return current;
    },
    get unread() {
      return unread;
    },
    get reusable() {
      if (current === undefined || signedBy !== signer.keyId) return [];
      return [...current.pieces, current.facts].map(({ tag }) => tag);
    },
    load,
    read,
    async commit(result, { cell, generation, carried }) {
      const written: string[] = [];
      const refused: SnapshotFailure[] = [];
      const room = { inline: 0 };
      await readLate();
      if (foreign !== undefined) throw foreign;
      try {
        const facts = await place({ ...result.facts, names: [], isolated: false }, room, written);
        const placed = await inParallel(result.groups, parallelWrites, async (group) => {
          try {
            return [await place(group, room, written)];
          } catch (thrown) {
            const reason = `the storage did not take it: ${toArtificerError(thrown).message}`;
            refused.push(...group.names.map((name) => ({ name, reason })));
            return [];
          }
        });
        const before = blobKeys(current);
        const present = new Set([...result.names, ...result.groups.flatMap(({ names }) => names)]);
        const unheld = [...carried, ...late].filter(({ names }) => !names.some((name) => present.has(name)));
        const kept = await signAnew(unheld);
        const manifest: SnapshotManifest = {
          version: 1,
          session,
          language,
          owner: owner ?? null,
          cell,
          generation,
          savedAt: new Date().toISOString(),
          facts,
          pieces: [...placed.flat(), ...kept],
          names: result.names,
          skipped: [...result.skipped, ...refused],
        };
        await put(manifest);
        current = manifest;
        const named = new Set(blobKeys(manifest));
        await discard([...before, ...written].filter((blob) => !named.has(blob)));
      } catch (thrown) {
        const named = new Set(blobKeys(current));
        await discard(written.filter((blob) => !named.has(blob)));
        throw thrown;
      }
      await sweep().catch(() => {});
      return refused;
    },
    async clear() {
      const blobs = blobKeys(current);
      current = undefined;
      late = [];
      if (revision === null && !unread) return;
      try {
        await storage.records.delete(key, revision == null ? {} : { ifRevision: revision });
      } catch (thrown) {
        if (ArtificerError.is(thrown, "storage/conflict")) throw conflict(session, thrown);
        throw thrown;
      }
      revision = null;
      unread = false;
      foreign = undefined;
      await discard(blobs);
    },
  };
}

function conflict(session: string, cause: unknown): ArtificerError {
  return new ArtificerError(
    "snapshot/conflict",
    `Another process has saved the variables of session ${session} since it was opened here; those of this process are not saved any more.`,
    {
      details: { session },
      hint: "Let one process at a time work in a session, or give each its own session id.",
      cause,
    },
  );
}
