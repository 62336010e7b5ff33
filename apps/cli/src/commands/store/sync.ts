import { buildCommand } from "@stricli/core";
import type { CliContext } from "../../context.js";
import { runTransfer } from "../../run-transfer.js";
import { type TransferFlags, transferFlags } from "../../store-flags.js";
import { withSides } from "../../store-sides.js";

export const syncCommand = buildCommand<TransferFlags, [string?], CliContext>({
  docs: {
    brief: "Bring two stores together, both ways",
    fullDescription: `Carries what is new or changed on either side to the other. With --delete, what was deleted on one side and is unchanged
on the other is deleted there too.

  artificer store sync pglite:./shared --delete
  artificer store sync --dry-run`,
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
    const create = { local: !flags.dryRun, remote: !flags.dryRun };
    await withSides(this.io, { ...flags, remote, create }, async (local, other) => {
      await runTransfer(this, flags, { local, remote: other }, { direction: "sync" });
    });
  },
});
