import type { RowResult } from "./measure-row.js";
import type { Figure } from "./report.js";

const headings = ["row", "ours p50", "p95", "bare p50", "ratio", "per second", "budget", "bare limit"];

/** The results as a Markdown table, padded so that a terminal shows it straight. */
export function renderTable(results: readonly RowResult[]): string {
  return table(headings, results.map(cells));
}

/** One row as soon as it is measured. */
export function renderRow({ name, oursP50Ms, bareP50Ms, ratio }: RowResult): string {
  return `${name}: ${milliseconds(oursP50Ms)}, bare ${milliseconds(bareP50Ms)}, ${ratio.toFixed(2)}x`;
}

/** The figures of one report, likewise. */
export function renderFigures(name: string, figures: readonly Figure[]): string {
  const rows = figures.map(({ what, value, budget = "", kept }) => [
    what,
    value,
    budget,
    kept === undefined ? "" : kept ? "yes" : "NO",
  ]);
  return table([name, "value", "budget", "kept"], rows);
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const render = (line: readonly string[]) =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [render(columns), rule, ...rows.map(render)].join("\n");
}

function cells(result: RowResult): string[] {
  return [
    result.name,
    milliseconds(result.oursP50Ms),
    milliseconds(result.oursP95Ms),
    milliseconds(result.bareP50Ms),
    `${result.ratio.toFixed(2)}x`,
    Math.round(result.perSecond).toLocaleString("en"),
    result.budget,
    result.limit,
  ];
}

function milliseconds(value: number): string {
  return `${value < 0.1 ? value.toFixed(4) : value < 10 ? value.toFixed(3) : value.toFixed(1)} ms`;
}
