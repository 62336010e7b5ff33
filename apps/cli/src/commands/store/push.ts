import { buildCommand } from "@stricli/core";
import type { CliContext } from "../../context.js";
import { runTransfer } from "../../run-transfer.js";
import { type TransferFlags, transferFlags } from "../../store-flags.js";
import { withSides } from "../../store-sides.js";

export const pushCommand = buildCommand<TransferFlags, [string?], CliContext>({
  docs: {
    brief: "Bring this side's things to another store",
    fullDescription: `Brings what is new or changed here to the other store: skills with all their versions, tools, deps and artifacts. What
changed there since both had the same stays; what changed on both sides is shown and left until --ours or --theirs
decides. May be ended at any moment and run again.

  artificer store push 'redis://host:6379?prefix=acme'
  artificer store push --dry-run --json
  artificer store push postgres://host/db --kind skills --ours 'skills/*'`,
  },
  parameters: {
    flags: transferFlags,
    positional: {
      kind: "tuple",
      parameters: [
        { brief: "The other store [default = config.yaml's]", parse: String, placeholder: "URL", optional: true },
      ],
    },
  },
  async func(flags, remote) {
    const create = { local: false, remote: !flags.dryRun };
    await withSides(this.io, { ...flags, remote, create }, async (local, other) => {
      await runTransfer(this, flags, { local, remote: other }, { direction: "push" });
    });
  },
});
