import type { ToolInfo } from "artificer";
import { firstLine, formatColumns } from "./format-columns.js";

/** Tools as lines: path and description; one that can't be called here says why. */
export function toolRows(tools: readonly ToolInfo[], width?: number): string {
  const rows = tools.map(({ path, description, definition: { unavailable } }) => [
    path,
    unavailable === undefined ? firstLine(description) : `not usable here: ${unavailable.reason}`,
  ]);
  return formatColumns(rows, width);
}
