import type { SnapshotFailure } from "@artificer/protocol";
import type { SnapshotManifest, SnapshotPiece } from "./snapshot-manifest.js";

/** The pieces that a kernel could not bring back, those excepted that harm whatever kernel they are restored into. */
export function unrestoredPieces(
  { pieces }: SnapshotManifest,
  failed: readonly SnapshotFailure[],
  excluded: Readonly<Record<string, string>>,
): SnapshotPiece[] {
  const names = new Set(failed.map(({ name }) => name).filter((name) => !Object.hasOwn(excluded, name)));
  return pieces.filter((piece) => piece.names.some((name) => names.has(name)));
}
