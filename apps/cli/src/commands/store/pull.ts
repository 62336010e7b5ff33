import { buildCommand } from "@stricli/core";
import type { CliContext } from "../../context.js";
import { runTransfer } from "../../run-transfer.js";
import { type TransferFlags, transferFlags } from "../../store-flags.js";
import { withSides } from "../../store-sides.js";

export const pullCommand = buildCommand<TransferFlags, [string?], CliContext>({
  docs: {
    brief: "Bring another store's things here",
    fullDescription: `Brings what is new or changed in the other store to this side, by the same rules as push.

  artificer store pull 'redis://host:6379?prefix=acme'
  artificer store pull file:../other --only skills/count_words --theirs skills/count_words`,
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
    const create = { local: !flags.dryRun, remote: false };
    await withSides(this.io, { ...flags, remote, create }, async (local, other) => {
      await runTransfer(this, flags, { local, remote: other }, { direction: "pull" });
    });
  },
});
