import { randomBytes } from "node:crypto";
import { ArtificerError, type Language } from "@artificer/protocol";
import type { CoreSessionOptions, SessionProblem } from "../session/session-options.js";
import { createSigner, type Signer } from "./create-signer.js";
import { SnapshotKeeper } from "./snapshot-keeper.js";
import { type SnapshotOptions, snapshotOptions } from "./snapshot-options.js";
import { createSnapshotStore } from "./snapshot-store.js";

/** What the keepers of one session have in common. */
export interface KeeperContext {
  session: string;
  graceMs: number;
  onProblem(problem: SessionProblem): void;
}

/** Makes a keeper for each language whose kernel can save its variables. */
export type CreateKeeper = (language: Language) => SnapshotKeeper;

/**
 * How a session's variables are kept; undefined when its options say that they are not.
 *
 * @throws ArtificerError `usage/invalid-argument` for bad bounds, or a storage that outlives the process and no key.
 */
export function keeperFactory(options: CoreSessionOptions, context: KeeperContext): CreateKeeper | undefined {
  const bounds: SnapshotOptions | undefined = snapshotOptions(options.snapshot);
  if (bounds === undefined) return undefined;
  const signer = signerFor(options);
  return (language) =>
    new SnapshotKeeper({
      ...bounds,
      store: createSnapshotStore({
        storage: options.storage,
        session: context.session,
        language,
        owner: options.owner,
        signer,
      }),
      graceMs: context.graceMs,
      onProblem: (problem) => context.onProblem(problem),
    });
}

function signerFor({ snapshotKey, storage }: CoreSessionOptions): Signer {
  if (snapshotKey !== undefined) return createSigner(snapshotKey);
  if (!storage.capabilities.durable) return createSigner(randomBytes(32));
  throw new ArtificerError(
    "usage/invalid-argument",
    "Snapshots in a storage that outlives the process need a `snapshotKey`.",
    {
      hint: "Pass 32 random bytes, the same each time, kept where only the host can read them; or use Session.fromBase, which keeps them itself.",
    },
  );
}
