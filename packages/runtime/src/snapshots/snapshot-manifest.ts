import { ArtificerError, type JsonObject, snapshotFailure } from "@artificer/protocol";
import { z } from "zod";
import type { Signer } from "./create-signer.js";

const piece = z.object({
  tag: z.string(),
  names: z.array(z.string()),
  bytes: z.int(),
  isolated: z.boolean(),
  /** Signature of the bytes. */
  signature: z.string(),
  /** Small pieces are kept in the manifest itself, in base64; the others in a blob of this key. */
  inline: z.string().optional(),
  blob: z.string().optional(),
});

/** What one save consists of. */
export const snapshotManifest = z.object({
  version: z.literal(1),
  session: z.string(),
  language: z.string(),
  owner: z.string().nullable(),
  /** The last cell whose effects it holds. */
  cell: z.int(),
  generation: z.int(),
  savedAt: z.string(),
  facts: piece,
  pieces: z.array(piece),
  /** Modules, functions and classes, which are in `facts`. */
  names: z.array(z.string()),
  skipped: z.array(snapshotFailure),
});

export type SnapshotPiece = z.infer<typeof piece>;
export type SnapshotManifest = z.infer<typeof snapshotManifest>;

/** As text, since a storage may put a record's members in another order, and what is signed is the text. */
export function manifestToRecord(manifest: SnapshotManifest, signer: Signer): JsonObject {
  const text = JSON.stringify(manifest);
  return { manifest: text, signature: signer.sign("manifest", manifest.session, manifest.language, text) };
}

/** @throws ArtificerError `snapshot/not-authentic` when it was not written with this key for this session. */
export function manifestFromRecord(
  record: JsonObject,
  identity: { session: string; language: string; owner: string | undefined },
  signer: Signer,
): SnapshotManifest {
  const { session, language } = identity;
  const { manifest: text, signature } = record;
  const authentic =
    typeof text === "string" &&
    typeof signature === "string" &&
    signer.verify(signature, "manifest", session, language, text);
  const parsed = authentic ? snapshotManifest.safeParse(JSON.parse(text)) : undefined;
  if (parsed?.success && parsed.data.owner === (identity.owner ?? null)) return parsed.data;
  throw new ArtificerError(
    "snapshot/not-authentic",
    `The stored variables of session ${session} were not saved with this base's key, so none of them was loaded.`,
    {
      details: { session, language },
      hint: "They were changed, or copied from elsewhere, or the key was replaced. The next save replaces them.",
    },
  );
}
