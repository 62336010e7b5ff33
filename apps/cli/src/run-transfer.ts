import { type ErrorCode, errorCodes } from "@artificer/protocol";
import type { StorePeer, TextDifference, TransferOptions, TransferReport, TransferredItem } from "artificer/store";
import type { CliContext } from "./context.js";
import { differenceText } from "./output/difference-text.js";
import { createProgressLine } from "./output/progress-line.js";
import { transferRows, transferSummary } from "./output/transfer-rows.js";
import { writeJson } from "./output/write-json.js";
import { decisions, matcher, type TransferFlags } from "./store-flags.js";

/** Brings two stores together as the flags say, shows it, and sets the exit code: 4 where conflicts are left, else that of the first failure. */
export async function runTransfer(
  context: CliContext,
  flags: TransferFlags,
  { local, remote }: { local: StorePeer; remote: StorePeer },
  options: TransferOptions & {
    more?: Record<string, unknown>;
    /** Tells more of an item that differs. */
    texts?: (item: TransferredItem) => Promise<TextDifference>;
  },
): Promise<TransferReport> {
  const { io } = context;
  const { transferStores } = await import("artificer/store");
  const { more = {}, texts, ...transfer } = options;
  const dryRun = flags.dryRun === true || transfer.dryRun === true;
  const progress = createProgressLine(io, !flags.json);
  let report: TransferReport;
  try {
    report = await transferStores(local, remote, {
      ...(flags.kind === undefined || flags.kind.length === 0 ? {} : { kinds: flags.kind }),
      ...(flags.only === undefined ? {} : { only: matcher(flags.only) }),
      decide: decisions(flags),
      deletes: flags.delete ?? false,
      allowSecrets: flags.allowSecrets ?? false,
      ...transfer,
      dryRun,
      onProgress: (state) => progress.show(state),
      signal: io.signal,
    });
  } finally {
    progress.end();
  }
  const failed = report.items.find(({ error }) => error !== undefined)?.error;
  if (report.conflicts.length > 0) context.process.exitCode = errorCodes["store/conflict"].exit;
  else if (failed !== undefined) context.process.exitCode = errorCodes[failed.code as ErrorCode].exit;
  if (flags.json) {
    const changed = report.items.filter(({ action, history }) => action !== "none" || history !== undefined);
    const items = [];
    for (const item of changed)
      items.push(texts === undefined || item.action === "none" ? item : { ...item, ...(await texts(item)) });
    writeJson(io, {
      local: local.location,
      remote: remote.location,
      direction: transfer.direction,
      dryRun,
      ...more,
      items,
      conflicts: report.conflicts,
      same: report.items.length - changed.length,
    });
    return report;
  }
  io.stdout.write(transferRows(report, io.stdout.columns));
  io.stdout.write(`${transferSummary(report, dryRun)}\n`);
  if (texts !== undefined)
    for (const item of report.items)
      if (item.action !== "none") io.stdout.write(`\n${differenceText(item.id, await texts(item))}`);
  if (report.conflicts.length > 0) {
    io.stderr.write(
      `artificer: ${report.conflicts.length} changed on both sides, and nothing was done about them: ${report.conflicts.join(", ")}\n`,
    );
    io.stderr.write("  hint: Look at both, then say --ours NAME or --theirs NAME for each; '*' stands for all.\n");
  }
  for (const { error } of report.items) if (error?.hint !== undefined) io.stderr.write(`  hint: ${error.hint}\n`);
  return report;
}
