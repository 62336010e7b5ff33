import { buildCommand } from "@stricli/core";
import type { StoreKind } from "artificer/store";
import type { CliContext } from "../../context.js";
import { formatBytes } from "../../output/format-bytes.js";
import { formatColumns } from "../../output/format-columns.js";
import { writeJson } from "../../output/write-json.js";
import { kindFlag, matcher, type StoreFlags, storeFlags } from "../../store-flags.js";
import { storeKinds } from "../../store-kinds.js";
import { withStore } from "../../store-sides.js";

interface LsFlags extends StoreFlags {
  kind?: readonly StoreKind[];
  only?: readonly string[];
}

export const lsCommand = buildCommand<LsFlags, [string?], CliContext>({
  docs: {
    brief: "List what a store has",
    fullDescription: `Without URL the store that the base works with. Shows each thing's name, size, last change, and a skill's versions.

  artificer store ls
  artificer store ls 'redis://host:6379?prefix=acme' --kind skills,tools`,
  },
  parameters: {
    flags: {
      kind: { ...kindFlag, brief: "Only these kinds [default = all]" },
      only: {
        kind: "parsed",
        parse: String,
        optional: true,
        variadic: true,
        placeholder: "NAME",
        brief: "Only this item or pattern",
      },
      ...storeFlags,
    },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "The store", parse: String, placeholder: "URL", optional: true }],
    },
  },
  async func(flags, url) {
    const { io } = this;
    const { takeInventory } = await import("artificer/store");
    const kinds = flags.kind === undefined || flags.kind.length === 0 ? storeKinds : flags.kind;
    const { location, all } = await withStore(io, flags, url, async ({ storage, location }) => ({
      location,
      all: [...(await takeInventory(storage, { kinds, signal: io.signal })).values()],
    }));
    const wanted = flags.only === undefined ? () => true : matcher(flags.only);
    const items = all.filter(({ id }) => wanted(id));
    if (flags.json) {
      const shown = items.map(({ history, ...item }) => ({
        ...item,
        ...(history && { versions: history.versions.length }),
      }));
      return writeJson(io, { store: location, items: shown });
    }
    if (items.length === 0) io.stderr.write(`Nothing is in ${location}.\n`);
    const rows = items.map(({ id, bytes, updatedAt, history }) => [
      id,
      formatBytes(bytes),
      updatedAt.toISOString().slice(0, 16).replace("T", " "),
      history === undefined ? "" : `${history.versions.length} version${history.versions.length === 1 ? "" : "s"}`,
    ]);
    io.stdout.write(formatColumns(rows, io.stdout.columns));
  },
});
