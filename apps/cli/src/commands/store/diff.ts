import { buildCommand } from "@stricli/core";
import type { CliContext } from "../../context.js";
import { runTransfer } from "../../run-transfer.js";
import { type TransferFlags, transferFlags } from "../../store-flags.js";
import { withSides } from "../../store-sides.js";

interface DiffFlags extends Pick<TransferFlags, "base" | "json" | "debug" | "local" | "kind" | "only"> {
  exitCode?: boolean;
  text?: boolean;
}

const { local, kind, only, base, json, debug } = transferFlags;

export const diffCommand = buildCommand<DiffFlags, [string?], CliContext>({
  docs: {
    brief: "Show what differs between two stores, and who changed it",
    fullDescription: `Changes nothing. -> is newer here, <- newer there, x> and <x deleted here or there, ! changed on both sides; what is the same
is only counted. With --text the texts are compared too: what a transfer would change, and of what changed on both sides how each
differs from what they last had in common. Exit code 0, or with --exit-code 1 when something differs; 4 where something is in conflict.

  artificer store diff 'redis://host:6379?prefix=acme'
  artificer store diff --only skills/count_words --text
  artificer store diff postgres://host/db --local pglite:./data --json`,
  },
  parameters: {
    flags: {
      exitCode: { kind: "boolean", optional: true, withNegated: false, brief: "Exit with 1 when something differs" },
      text: {
        kind: "boolean",
        optional: true,
        withNegated: false,
        brief: "Show how the texts differ, as unified diffs",
      },
      local,
      kind,
      only,
      base,
      json,
      debug,
    },
    positional: {
      kind: "tuple",
      parameters: [
        { brief: "The other store [default = config.yaml's]", parse: String, placeholder: "URL", optional: true },
      ],
    },
  },
  async func({ exitCode, text, ...flags }, remote) {
    const create = { local: false, remote: false };
    await withSides(this.io, { ...flags, remote, create }, async (local, other) => {
      const { diffTexts } = await import("artificer/store");
      const { signal } = this.io;
      const sides = { local: local.storage, remote: other.storage, signal };
      const { items } = await runTransfer(
        this,
        flags,
        { local, remote: other },
        {
          direction: "sync",
          dryRun: true,
          deletes: true,
          ...(text && { texts: (item) => diffTexts(item, sides) }),
        },
      );
      // What is left of a skill that both have deleted is told, and makes no difference.
      const differs = items.some((item) => item.action !== "none" || (item.history && item.local === "same"));
      if (exitCode && differs) this.process.exitCode ||= 1;
    });
  },
});
