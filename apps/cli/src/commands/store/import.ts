import { ArtificerError } from "@artificer/protocol";
import { buildCommand } from "@stricli/core";
import type { ImportedItem } from "artificer/store";
import { baseFolder } from "../../base-folder.js";
import type { CliContext, CliIo } from "../../context.js";
import { runTransfer } from "../../run-transfer.js";
import { type TransferFlags, transferFlags } from "../../store-flags.js";
import { storeKinds } from "../../store-kinds.js";

interface ImportFlags extends Omit<TransferFlags, "local" | "delete" | "allowSecrets"> {
  from?: string;
  into?: string;
}

const { kind, only, ours, theirs, dryRun, base, json, debug } = transferFlags;

export const importCommand = buildCommand<ImportFlags, [string?], CliContext>({
  docs: {
    brief: "Bring in an export, or what py-code-mode kept",
    fullDescription: `Brings everything of an export into a store; what is there and differs is in conflict until --theirs takes the export's.
Reads the folders and the Redis layout of py-code-mode as well, mends what differs (names, front matter, definitions of
tools), and tells it of each.

  artificer store import backup.tar.gz
  artificer store import --from py-code-mode:../old --dry-run
  artificer store import --from 'py-code-mode+redis://host:6379?prefix=agent' --into postgres://host/db`,
  },
  parameters: {
    flags: {
      from: {
        kind: "parsed",
        parse: String,
        optional: true,
        placeholder: "SOURCE",
        brief: "What to import, as the argument",
      },
      into: {
        kind: "parsed",
        parse: String,
        optional: true,
        placeholder: "URL",
        brief: "The store [default = the one that the base works with]",
      },
      kind: { ...kind, brief: "Only these kinds [default = all]" },
      only,
      ours,
      theirs,
      dryRun,
      base,
      json,
      debug,
    },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "An export, py-code-mode:DIR, or py-code-mode+redis://…",
          parse: String,
          placeholder: "SOURCE",
          optional: true,
        },
      ],
    },
  },
  async func({ from, into, ...flags }, argument) {
    const { io } = this;
    const source = argument ?? from;
    if (source === undefined || (argument !== undefined && from !== undefined)) {
      throw new ArtificerError("usage/invalid-argument", "Name one thing to import: a file, or --from SOURCE.");
    }
    const { openImport, openPeer, storesOfBase } = await import("artificer/store");
    const stores = await storesOfBase(baseFolder(io, flags.base), { env: io.env });
    const target = into === undefined ? (stores.configured ?? stores.folder) : stores.named(into, io.cwd);
    const imported = await openImport(source, { cwd: io.cwd, lookup: stores.named(source, io.cwd).options.lookup });
    try {
      const local = await openPeer(target.url, { ...target.options, create: !flags.dryRun });
      try {
        if (!flags.json) tellItems(io, imported.items);
        const kinds = flags.kind?.length ? flags.kind : storeKinds;
        const report = await runTransfer(
          this,
          flags,
          { local, remote: imported },
          { direction: "pull", kinds, more: { imported: imported.items } },
        );
        const leftOut = imported.items.some(({ id }) => id === undefined);
        if (leftOut && report.conflicts.length === 0) this.process.exitCode ||= 2;
      } finally {
        await local.close();
      }
    } finally {
      await imported.close();
    }
  },
});

function tellItems(io: CliIo, items: readonly ImportedItem[]): void {
  for (const { kind, name, id, notes } of items) {
    const what = id === undefined ? `${kind} ${name} is left out` : id;
    if (notes.length === 0) io.stdout.write(`${what}: as it was\n`);
    else io.stdout.write(`${what}: ${notes.join("; ")}\n`);
  }
}
