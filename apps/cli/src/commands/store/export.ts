import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ArtificerError } from "@artificer/protocol";
import { buildCommand } from "@stricli/core";
import type { StoreKind } from "artificer/store";
import type { CliContext } from "../../context.js";
import { formatBytes } from "../../output/format-bytes.js";
import { createProgressLine } from "../../output/progress-line.js";
import { writeJson } from "../../output/write-json.js";
import { kindFlag, type StoreFlags, storeFlags } from "../../store-flags.js";
import { storeKinds } from "../../store-kinds.js";
import { withStore } from "../../store-sides.js";

interface ExportFlags extends StoreFlags {
  from?: string;
  kind?: readonly StoreKind[];
  force?: boolean;
}

export const exportCommand = buildCommand<ExportFlags, [string], CliContext>({
  docs: {
    brief: "Write a store into one file",
    fullDescription: `Writes skills with all their versions, tools, deps, artifacts and configuration into a gzipped tar archive with a manifest
of hashes. The file is there whole or not at all; one that is there is not replaced without --force.

  artificer store export backup.tar.gz
  artificer store export skills.tar.gz --from 'redis://host:6379?prefix=acme' --kind skills`,
  },
  parameters: {
    flags: {
      from: {
        kind: "parsed",
        parse: String,
        optional: true,
        placeholder: "URL",
        brief: "The store [default = the one that the base works with]",
      },
      kind: { ...kindFlag, brief: "Only these kinds [default = all]" },
      force: { kind: "boolean", optional: true, withNegated: false, brief: "Replace the file" },
      ...storeFlags,
    },
    positional: { kind: "tuple", parameters: [{ brief: "The archive", parse: String, placeholder: "FILE" }] },
  },
  async func(flags, name) {
    const { io } = this;
    const file = resolve(io.cwd, name);
    if (existsSync(file) && !flags.force) {
      throw new ArtificerError("usage/invalid-argument", `${name} is there already.`, {
        hint: "Name another file, or say --force to replace it.",
      });
    }
    const { writeArchive } = await import("artificer/store");
    const kinds = flags.kind === undefined || flags.kind.length === 0 ? storeKinds : flags.kind;
    const progress = createProgressLine(io, !flags.json);
    const manifest = await withStore(io, flags, flags.from, (store) =>
      writeArchive(file, store, { kinds, signal: io.signal, onProgress: (state) => progress.show(state) }),
    ).finally(() => progress.end());
    const bytes = manifest.blobs.reduce((sum, blob) => sum + blob.bytes, 0);
    if (flags.json) return writeJson(io, { file, store: manifest.store, blobs: manifest.blobs.length, bytes });
    io.stdout.write(
      `Wrote ${name}: ${manifest.blobs.length} files, ${formatBytes(bytes)}, from ${manifest.store.location}.\n`,
    );
  },
});
