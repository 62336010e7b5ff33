import {
  ArtificerError,
  type SnapshotFailure,
  type SnapshotFormat,
  type SnapshotGroup,
  snapshotRestoreResult,
  toArtificerError,
} from "@artificer/protocol";
import type { Kernel } from "../kernel/kernel.js";
import { inParallel } from "./in-parallel.js";
import type { SnapshotManifest } from "./snapshot-manifest.js";
import type { SnapshotStore } from "./snapshot-store.js";

/** A stored snapshot read and verified: nothing else is ever sent to a kernel. */
export interface LoadedSnapshot {
  manifest: SnapshotManifest;
  facts: Uint8Array;
  groups: (SnapshotGroup & { data: Uint8Array })[];
  /** Variables whose bytes were not there, or not those that were saved. */
  failed: SnapshotFailure[];
}

const parallelReads = 8;

/** Reads a manifest's bytes. @throws ArtificerError when even the facts can't be had. */
export async function loadSnapshot(store: SnapshotStore, manifest: SnapshotManifest): Promise<LoadedSnapshot> {
  const failed: SnapshotFailure[] = [];
  const facts = await store.read(manifest.facts);
  const groups = await inParallel(manifest.pieces, parallelReads, async (piece) => {
    try {
      const { tag, names, bytes, isolated } = piece;
      return [{ tag, names, bytes, isolated, data: await store.read(piece) }];
    } catch (thrown) {
      failed.push(...piece.names.map((name) => ({ name, reason: toArtificerError(thrown).message })));
      return [];
    }
  });
  return { manifest, facts, groups: groups.flat(), failed };
}

export interface RestoreOptions {
  format: SnapshotFormat;
  maxVariableMs: number;
  /** Longest time for all of it, in milliseconds; then the kernel is ended. */
  maxMs: number;
  /** Variables to leave out, with the reason. */
  exclude: Readonly<Record<string, string>>;
}

/** What a kernel made of a snapshot. */
export interface RestoreOutcome {
  restored: string[];
  failed: SnapshotFailure[];
}

/** Sends a snapshot to a fresh kernel. @throws ArtificerError when the kernel ended over it. */
export async function restoreKernel(
  kernel: Kernel,
  { facts, groups, failed }: LoadedSnapshot,
  { format, maxVariableMs, maxMs, exclude }: RestoreOptions,
): Promise<RestoreOutcome> {
  const left: SnapshotFailure[] = [];
  const sent = groups.filter(({ names }) => {
    const culprit = names.find((name) => Object.hasOwn(exclude, name));
    if (culprit !== undefined) left.push(...names.map((name) => ({ name, reason: exclude[culprit] ?? "" })));
    return culprit === undefined;
  });
  const { reply } = kernel.request("snapshot.restore", { facts, groups: sent, maxVariableMs, format });
  const timer = setTimeout(() => void kernel.kill(tooLong(maxMs)), maxMs);
  try {
    const result = snapshotRestoreResult.parse(await reply);
    return { restored: result.restored, failed: [...failed, ...left, ...result.failed] };
  } finally {
    clearTimeout(timer);
  }
}

function tooLong(maxMs: number): ArtificerError {
  return new ArtificerError("kernel/killed", `restoring its variables took longer than ${maxMs} ms.`, {
    details: { maxMs },
  });
}
