import { ArtificerError } from "@artificer/protocol";
import { buildCommand } from "@stricli/core";
import type { CliContext } from "../../context.js";
import { formatBytes } from "../../output/format-bytes.js";
import { formatColumns } from "../../output/format-columns.js";
import { writeJson } from "../../output/write-json.js";
import { type StoreFlags, storeFlags } from "../../store-flags.js";
import { withStore } from "../../store-sides.js";

interface GcFlags extends StoreFlags {
  apply?: boolean;
  sessionsUnusedDays?: number;
}

export const gcCommand = buildCommand<GcFlags, [string?], CliContext>({
  docs: {
    brief: "Find what a store no longer needs; delete it with --apply",
    fullDescription: `Without --apply it only tells. Finds bytes of snapshots that no snapshot names, what is known and learned of skills that are
gone, and notes about stores not met for half a year. Skills, their versions, tools, deps and artifacts are never among
it. Sessions are only when you say after how many days: their variables and journals are somebody's.

  artificer store gc
  artificer store gc postgres://host/db --sessions-unused-days 90 --apply`,
  },
  parameters: {
    flags: {
      apply: { kind: "boolean", optional: true, withNegated: false, brief: "Delete it" },
      sessionsUnusedDays: {
        kind: "parsed",
        parse: parseDays,
        optional: true,
        placeholder: "DAYS",
        brief: "Also variables and journals of sessions unused for so long",
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
    const { collectGarbage } = await import("artificer/store");
    const dryRun = !flags.apply;
    const { sessionsUnusedDays } = flags;
    const { location, garbage } = await withStore(io, flags, url, async ({ storage, location }) => ({
      location,
      garbage: await collectGarbage(storage, {
        dryRun,
        signal: io.signal,
        ...(sessionsUnusedDays === undefined ? {} : { sessionsUnusedDays }),
      }),
    }));
    const bytes = garbage.reduce((sum, each) => sum + each.bytes, 0);
    if (flags.json) return writeJson(io, { store: location, dryRun, garbage, bytes });
    io.stdout.write(
      formatColumns(
        garbage.map((each) => [each.key, formatBytes(each.bytes), each.reason]),
        io.stdout.columns,
      ),
    );
    if (garbage.length === 0) io.stdout.write(`${location} has nothing that it does not need.\n`);
    else if (dryRun)
      io.stdout.write(`${garbage.length} could go, ${formatBytes(bytes)}; say --apply to delete them.\n`);
    else io.stdout.write(`Deleted ${garbage.length}, ${formatBytes(bytes)}.\n`);
  },
});

function parseDays(text: string): number {
  const days = Number(text);
  if (text.trim() !== "" && Number.isFinite(days) && days > 0) return days;
  throw new ArtificerError("usage/invalid-argument", `${JSON.stringify(text)} is no number of days above 0.`);
}
