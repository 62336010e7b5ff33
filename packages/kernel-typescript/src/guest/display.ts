import { inspect } from "node:util";
import { encodeValue, type KernelStartParams } from "@artificer/protocol";
import { currentCell } from "./activity.js";
import type { HostLink } from "./host-link.js";
import { tell } from "./output.js";
import type { WireChannel } from "./wire-channel.js";

type Bundle = Record<string, unknown>;

const shorthand: Record<string, string> = {
  html: "text/html",
  text: "text/plain",
  markdown: "text/markdown",
  svg: "image/svg+xml",
  json: "application/json",
  png: "image/png",
  jpeg: "image/jpeg",
};

/** `display(value)`, and what can be done with what was shown. */
export interface DisplayFunction {
  (...values: unknown[]): void;
  /** Shows a value under an id, in the place of what this cell showed under it before. */
  update(id: string, value: unknown): void;
  /** Forgets what this cell has printed and shown so far; with `wait`, only when there is more to come. */
  clear(options?: { wait?: boolean }): Promise<void>;
}

/** `display(value)`: shows it to whoever reads the outcome, in the richest form it has. */
export function createDisplay(
  wire: WireChannel,
  host: HostLink,
  limits: () => KernelStartParams["limits"],
): DisplayFunction {
  function show(value: unknown, id?: string): void {
    const cell = currentCell();
    if (cell?.interrupted === true) return;
    const { maxDisplays, maxDisplayBytes } = limits();
    const again = id !== undefined && cell?.displayIds.has(id) === true;
    if (cell !== undefined && !again && ++cell.displays > maxDisplays) {
      if (cell.displays === maxDisplays + 1) tell(`display: only the first ${maxDisplays} of a cell are shown.`);
      return;
    }
    if (id !== undefined) cell?.displayIds.add(id);
    const { kept, dropped } = within(bundleOf(value), maxDisplayBytes);
    const named = id === undefined ? {} : { id, update: true };
    const { json, parts } = encodeValue({ data: kept, metadata: {}, dropped, ...named });
    const about = cell === undefined ? {} : { cell: cell.number };
    wire.send({ type: "notice", name: "display", params: json, ...about }, parts);
  }

  function display(...values: unknown[]): void {
    for (const value of values) show(value);
  }
  display.update = (id: string, value: unknown): void => show(value, String(id).slice(0, 200));
  display.clear = async function clear({ wait = false } = {}): Promise<void> {
    const cell = currentCell();
    if (cell !== undefined) {
      cell.displays = 0;
      cell.displayIds.clear();
    }
    await host.request("output.clear", { wait }, clear);
  };
  return display;
}

/** A value as MIME types to text or bytes. */
export function bundleOf(value: unknown): Bundle {
  if (value instanceof Uint8Array) {
    const type = imageType(value);
    return type === undefined
      ? { "text/plain": inspect(value) }
      : { [type]: value, "text/plain": `<${type}, ${value.length} bytes>` };
  }
  if (typeof value === "string") {
    return /^\s*(<\?xml[^>]*>\s*)?<svg[\s>]/.test(value)
      ? { "image/svg+xml": value, "text/plain": "<svg>" }
      : { "text/plain": value };
  }
  if (Array.isArray(value) && value.length > 0 && value.every(isRecord)) return tableOf(value);
  if (isRecord(value)) {
    const { [Symbol.for("Jupyter.display")]: show } = value as { [key: symbol]: unknown };
    if (typeof show === "function") return plain(show.call(value) as Bundle);
    const keys = Object.keys(value);
    if (keys.length > 0 && keys.every((key) => key in shorthand || key.includes("/"))) return plain(value);
  }
  return { "text/plain": typeof value === "object" && value !== null ? inspect(value, { depth: 4 }) : String(value) };
}

function plain(bundle: Bundle): Bundle {
  return Object.fromEntries(
    Object.entries(bundle).map(([key, part]) => {
      const mime = shorthand[key] ?? key;
      if (typeof part === "string" || part instanceof Uint8Array) return [mime, part];
      return [mime, mime.includes("json") ? JSON.stringify(part) : String(part)];
    }),
  );
}

function isRecord(value: unknown): value is Bundle {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !ArrayBuffer.isView(value) &&
    !(value instanceof Date)
  );
}

function tableOf(rows: readonly Bundle[]): Bundle {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => columns.map((column) => cellText(row[column])));
  const widths = columns.map((column, index) => Math.max(column.length, ...cells.map((row) => row[index]!.length)));
  const line = (row: readonly string[]) =>
    row
      .map((text, index) => text.padEnd(widths[index]!))
      .join("  ")
      .trimEnd();
  const html = (tag: string, row: readonly string[]) =>
    `<tr>${row.map((text) => `<${tag}>${escapeHtml(text)}</${tag}>`).join("")}</tr>`;
  return {
    "text/html": `<table><thead>${html("th", columns)}</thead><tbody>${cells.map((row) => html("td", row)).join("")}</tbody></table>`,
    "text/plain": [line(columns), ...cells.map(line)].join("\n"),
  };
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object"
    ? inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY })
    : String(value);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function imageType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(16, bytes.byteLength)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  if (/^RIFF[\s\S]{4}WEBP/.test(head)) return "image/webp";
  return head.startsWith("%PDF-") ? "application/pdf" : undefined;
}

function within(bundle: Bundle, maxBytes: number): { kept: Bundle; dropped: { mime: string; bytes: number }[] } {
  const kept: Bundle = {};
  const dropped: { mime: string; bytes: number }[] = [];
  for (const [mime, part] of Object.entries(bundle)) {
    const bytes = typeof part === "string" ? Buffer.byteLength(part) : (part as Uint8Array).byteLength;
    if (bytes <= maxBytes) kept[mime] = part;
    else dropped.push({ mime, bytes });
  }
  return { kept, dropped };
}
