import { buildCommand } from "@stricli/core";
import type { CliContext } from "../../context.js";
import { runTransfer } from "../../run-transfer.js";
import { type TransferFlags, transferFlags } from "../../store-flags.js";
import { withSides } from "../../store-sides.js";

interface DiffFlags extends Pick<TransferFlags, "base" | "json" | "debug" | "local" | "kind" | "only"> {
  exitCode?: boolean;
}

const { local, kind, only, base, json, debug } = transferFlags;

export const diffCommand = buildCommand<DiffFlags, [string?], CliContext>({
  docs: {
    brief: "Show what differs between two stores, and who changed it",
    fullDescription: `Changes nothing. -> is newer here, <- newer there, x> and <x deleted here or there, ! changed on both sides; what is the same
is only counted. Exit code 0, or with --exit-code 1 when something differs; 4 where something is in conflict.

  artificer store diff 'redis://host:6379?prefix=acme'
  artificer store diff postgres://host/db --local pglite:./data --json`,
  },
  parameters: {
    flags: {
      exitCode: { kind: "boolean", optional: true, withNegated: false, brief: "Exit with 1 when something differs" },
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
  async func({ exitCode, ...flags }, remote) {
    const create = { local: false, remote: false };
    await withSides(this.io, { ...flags, remote, create }, async (local, other) => {
      const options = { direction: "sync", dryRun: true, deletes: true } as const;
      const { items } = await runTransfer(this, flags, { local, remote: other }, options);
      const differs = items.some(({ action, history }) => action !== "none" || history !== undefined);
      if (exitCode && differs) this.process.exitCode ||= 1;
    });
  },
});
