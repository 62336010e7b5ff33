import { ArtificerError } from "@artificer/protocol";
import { z } from "zod";

/** Name of the manifest in an archive; it is written last, so an archive that was cut short has none. */
export const manifestName = "manifest.json";

const entry = z.object({
  key: z.string(),
  /** The file of the archive that holds the bytes: a key need not be a possible name of a file. */
  file: z.string().regex(/^blobs\/\d+$/),
  bytes: z.int().min(0),
  /** Of the bytes, in hexadecimal digits. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  metadata: z.record(z.string(), z.json()),
  updatedAt: z.iso.datetime(),
});

const manifest = z.object({
  artificer: z.literal("store/1"),
  exportedAt: z.iso.datetime(),
  /** Where it came from: the store's id, and its location without passwords. */
  store: z.object({ id: z.string(), location: z.string() }),
  blobs: z.array(entry),
});

export type ArchiveManifest = z.output<typeof manifest>;
export type ArchiveEntry = z.output<typeof entry>;

/** @throws ArtificerError `store/archive-invalid` */
export function parseManifest(text: string, file: string): ArchiveManifest {
  try {
    return manifest.parse(JSON.parse(text));
  } catch (cause) {
    throw invalidArchive(file, "its manifest can't be read", cause);
  }
}

export function invalidArchive(file: string, why: string, cause?: unknown): ArtificerError {
  return new ArtificerError("store/archive-invalid", `${file} is no whole export of a store: ${why}.`, {
    details: { file },
    hint: "Export it again; nothing was taken from this one.",
    cause,
  });
}
