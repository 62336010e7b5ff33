import { buildCommand } from "@stricli/core";
import type { CliContext } from "../../context.js";
import { runTransfer } from "../../run-transfer.js";
import { type TransferFlags, transferFlags } from "../../store-flags.js";
import { withSides } from "../../store-sides.js";

interface BootstrapFlags extends TransferFlags {
  clear?: boolean;
}

export const bootstrapCommand = buildCommand<BootstrapFlags, [string?], CliContext>({
  docs: {
    brief: "Set up a store with this side's skills, tools and deps",
    fullDescription: `Makes a database's tables where they are missing, and brings over skills, tools and deps. With --clear the store is made
like this side: what only it has is deleted, what differs is replaced.

  artificer store bootstrap 'redis://host:6379?prefix=acme'
  artificer store bootstrap postgres://host/db --local ./starter --clear --dry-run`,
  },
  parameters: {
    flags: {
      clear: { kind: "boolean", optional: true, withNegated: false, brief: "Make the store like this side" },
      ...transferFlags,
    },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "The store [default = config.yaml's]", parse: String, placeholder: "URL", optional: true }],
    },
  },
  async func({ clear = false, ...flags }, remote) {
    const create = { local: false, remote: !flags.dryRun };
    await withSides(this.io, { ...flags, remote, create }, async (local, other) => {
      const kinds = flags.kind?.length ? flags.kind : (["skills", "tools", "deps"] as const);
      const stores = { local, remote: other };
      await runTransfer(this, flags, stores, { direction: "push", kinds, mirror: clear });
    });
  },
});
