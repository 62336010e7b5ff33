import type { CliIo } from "../context.js";
import { formatBytes } from "./format-bytes.js";

export interface Progress {
  done: number;
  total: number;
  bytes?: number;
  totalBytes?: number;
  id?: string | undefined;
}

const barChars = 24;
/** More often nobody can read it. */
const everyMs = 50;

/** A bar on one line of stderr, where that is a terminal; nothing else ever sees it. `end` wipes it away. */
export function createProgressLine(io: CliIo, shown = true): { show(progress: Progress): void; end(): void } {
  const active = shown && io.stderr.isTTY === true;
  let last = 0;
  let drawn = false;
  return {
    show(progress) {
      const now = performance.now();
      if (!active || progress.total === 0 || (now - last < everyMs && progress.done < progress.total)) return;
      last = now;
      drawn = true;
      io.stderr.write(`\r\x1b[K${progressLine(progress, io.stdout.columns ?? 80)}`);
    },
    end() {
      if (drawn) io.stderr.write("\r\x1b[K");
    },
  };
}

/** `[######      ]  12/48  3.1 MB  skills/count_words`, at most `width` characters. */
export function progressLine({ done, total, bytes, totalBytes, id = "" }: Progress, width: number): string {
  const part = totalBytes !== undefined && totalBytes > 0 ? Math.min(1, (bytes ?? 0) / totalBytes) : done / total;
  const filled = Math.round(part * barChars);
  const bar = `[${"#".repeat(filled)}${" ".repeat(barChars - filled)}]`;
  const size = bytes === undefined || bytes === 0 ? "" : `  ${formatBytes(bytes)}`;
  return `${bar} ${String(done).padStart(String(total).length)}/${total}${size}  ${id}`.slice(
    0,
    Math.max(1, width - 1),
  );
}
