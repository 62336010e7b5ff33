import type { ArtificerError, CallGate } from "@artificer/protocol";
import type { Drafts } from "./files/drafts.js";
import type { KeyLocks } from "./locks/key-locks.js";

/** What records and blobs of one opening share. */
export interface FileBase {
  /** The base folder's real path. */
  readonly folder: string;
  /** `.state` in it. */
  readonly state: string;
  readonly fsync: boolean;
  /** Whether `a` and `A` are two names here. */
  readonly caseSensitive: boolean;
  /** Why nothing can be written; undefined when it can. */
  readonly readOnly: ArtificerError | undefined;
  readonly gate: CallGate;
  readonly locks: KeyLocks;
  readonly drafts: Drafts;
}
