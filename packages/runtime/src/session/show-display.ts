import { type Display, displayNotice, type Value } from "@artificer/protocol";
import type { ActiveCell } from "../cell/active-cell.js";
import { redactDisplay } from "../redaction/redact-outcome.js";
import type { SessionLimits } from "./limits.js";

/** Adds what a cell shows to it, or puts it in the place of what it showed under the same id. A malformed notice shows nothing. */
export function showDisplay(active: ActiveCell, params: Value, limits: SessionLimits): void {
  const parsed = displayNotice.safeParse(params);
  if (!parsed.success) return;
  const { data, metadata, dropped, id, update } = parsed.data;
  for (const { mime, bytes } of dropped) {
    const bounds = `a cell shows at most ${limits.maxDisplays} of at most ${limits.maxDisplayBytes} bytes each`;
    active.notices.push(`A display of ${bytes} bytes (${mime}) was left out: ${bounds}.`);
    active.truncated.push({ what: mime.startsWith("image/") ? "images" : "display", keptBytes: 0, totalBytes: bytes });
  }
  if (Object.keys(data).length === 0) return;
  active.capture.beforeDisplay();
  const shown = redactDisplay({ data, metadata } as Display, active.redact);
  const display: Display = id === undefined ? shown : { ...shown, id };
  // All that was shown under the id shows the new; what an earlier cell showed is shown again here.
  const places = update && id !== undefined ? active.displays.flatMap((one, at) => (one.id === id ? [at] : [])) : [];
  for (const at of places) active.displays[at] = display;
  // A kernel that counts its displays wrongly must not fill the host's memory.
  if (places.length === 0 && active.displays.length < limits.maxDisplays) active.displays.push(display);
  active.onDisplay?.(display);
}
