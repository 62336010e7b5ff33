import { HeadTail } from "./head-tail.js";
import { joinCut } from "./stream-capture.js";

/** The traceback within `maxBytes`, head and tail, no character split. */
export function capTraceback(
  traceback: string,
  maxBytes: number,
): { text: string; keptBytes: number; totalBytes: number } {
  const kept = new HeadTail(maxBytes);
  kept.push(Buffer.from(traceback));
  const { head, tail } = kept.parts();
  const keptBytes = head.byteLength + tail.byteLength;
  if (!kept.cut) return { text: traceback, keptBytes, totalBytes: keptBytes };
  return { text: joinCut(head, tail, kept.totalBytes), keptBytes, totalBytes: kept.totalBytes };
}
