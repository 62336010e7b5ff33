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
  const signature = signer.sign("manifest", manifest.session, manifest.language, text);
  return { manifest: text, signature, key: signer.keyId };
}

/**
 * A manifest, and the key that signed it.
 *
 * @throws ArtificerError `snapshot/other-key` when a key that is none of ours signed it; `snapshot/not-authentic` when it was not
 * written for this session, or changed since.
 */
export function manifestFromRecord(
  record: JsonObject,
  identity: { session: string; language: string; owner: string | undefined },
  signer: Signer,
): { manifest: SnapshotManifest; keyId: string } {
  const { session, language } = identity;
  const { manifest: text, signature, key } = record;
  const keyId =
    typeof text === "string" && typeof signature === "string"
      ? signer.signedBy(signature, "manifest", session, language, text)
      : undefined;
  const parsed = keyId === undefined ? undefined : snapshotManifest.safeParse(JSON.parse(text as string));
  if (keyId !== undefined && parsed?.success && parsed.data.owner === (identity.owner ?? null))
    return { manifest: parsed.data, keyId };
  if (typeof key === "string" && !signer.knows(key))
    throw otherKey(session, language, { stored: key, own: signer.keyId });
  throw new ArtificerError(
    "snapshot/not-authentic",
    `The stored variables of session ${session} were not saved with this base's key, so none of them was loaded.`,
    {
      details: { session, language },
      hint: "They were changed, or copied from elsewhere, or the key was replaced. The next save replaces them.",
    },
  );
}

function otherKey(session: string, language: string, keys: { stored: string; own: string }): ArtificerError {
  return new ArtificerError(
    "snapshot/other-key",
    `The stored variables of session ${session} were signed with the key ${keys.stored}, which this base does not have (its own is ${keys.own}): none of them was loaded. They are left as they are, and those of this session are not saved.`,
    {
      details: { session, language, ...keys },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: what is written into config.yaml.
      hint: "Give all bases that share this storage one key: `snapshots: { key: ${SNAPSHOT_KEY} }` in config.yaml of each; the base that saved them last signs them anew at its next save. Or restart the session, which forgets them.",
    },
  );
}
