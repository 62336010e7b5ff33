import type { FileBase } from "../file-base.js";
import type { BlobPlaces } from "./blob-places.js";
import type { BlobVersions } from "./blob-versions.js";

/** What the blob operations work with. */
export interface BlobBase extends FileBase {
  places: BlobPlaces;
  versions: BlobVersions;
}
