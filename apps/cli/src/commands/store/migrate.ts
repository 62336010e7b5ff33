import { buildCommand } from "@stricli/core";
import type { CliContext } from "../../context.js";
import { writeJson } from "../../output/write-json.js";
import { dryRunFlag, type StoreFlags, storeFlags } from "../../store-flags.js";
import { storeReference } from "../../store-sides.js";

export const migrateCommand = buildCommand<StoreFlags & { dryRun?: boolean }, [string?], CliContext>({
  docs: {
    brief: "Bring a database's tables up to date",
    fullDescription: `Applies the migrations that a PostgreSQL or PGlite store lacks, all or none, under a lock. Other stores have none.

  artificer store migrate postgres://owner@host/db
  artificer store migrate --dry-run`,
  },
  parameters: {
    flags: { dryRun: dryRunFlag, ...storeFlags },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "The store", parse: String, placeholder: "URL", optional: true }],
    },
  },
  async func(flags, url) {
    const { io } = this;
    const reference = await storeReference(io, flags, url);
    const { migrateStore } = await import("artificer/store");
    const migration = await migrateStore(reference.url, { ...reference.options, dryRun: flags.dryRun ?? false });
    if (flags.json) return writeJson(io, migration);
    const { location, missing, applied } = migration;
    const told =
      missing === 0 ? "is up to date" : applied ? `got ${missing} migration(s)` : `lacks ${missing} migration(s)`;
    io.stdout.write(`${location} ${told}.\n`);
  },
});
