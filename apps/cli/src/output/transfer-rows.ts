import type { TransferReport, TransferredItem } from "artificer/store";
import { formatColumns } from "./format-columns.js";

const marks: Record<TransferredItem["action"], string> = {
  none: "=",
  "to-remote": "->",
  "to-local": "<-",
  "delete-remote": "x>",
  "delete-local": "<x",
  keep: "?",
  conflict: "!",
};

/** What differs, a line each; what is the same is only counted. */
export function transferRows({ items }: TransferReport, width?: number): string {
  const shown = items.filter(
    ({ action, history, outcome }) => action !== "none" || history !== undefined || outcome === "failed",
  );
  return formatColumns(
    shown.map((item) => [
      item.outcome === "failed" ? "E" : item.action === "none" ? "+" : marks[item.action],
      item.id,
      item.error === undefined ? item.reason : item.error.message,
    ]),
    width,
  );
}

/** One line that counts it all. */
export function transferSummary({ items, conflicts }: TransferReport, dryRun: boolean): string {
  const count = (test: (item: TransferredItem) => boolean) => items.filter(test).length;
  const planned = count(
    ({ action, history }) => !["none", "keep", "conflict"].includes(action) || history !== undefined,
  );
  const done = dryRun ? planned : count(({ outcome }) => outcome === "done");
  const failed = count(({ outcome }) => outcome === "failed");
  const same = count(({ action, history }) => action === "none" && history === undefined);
  const kept = count(({ action }) => action === "keep");
  const parts = [
    `${done} ${dryRun ? "to carry over" : "carried over"}`,
    `${same} the same`,
    ...(kept === 0 ? [] : [`${kept} left`]),
    ...(conflicts.length === 0 ? [] : [`${conflicts.length} in conflict`]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
  ];
  return `${parts.join(", ")}.`;
}
