import type { CellToolProgress, Heartbeat, RunOptions } from "@artificer/runtime";
import type { ServerContext } from "@modelcontextprotocol/server";

const heartbeatMs = 5_000;

/**
 * Tells a client that asked for progress that its cell is alive and how far its tools are; clients take it as a reason to go on
 * waiting. Several tools of a cell report side by side, so the number is the seconds since the cell was sent, and the words say the rest.
 */
export function progressNotices({
  _meta,
  notify,
}: ServerContext["mcpReq"]): Pick<RunOptions, "heartbeatMs" | "onHeartbeat" | "onToolProgress"> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return {};
  const from = performance.now();
  let last = 0;
  const tell = (message: string) => {
    // The number has to grow with each notice.
    last = Math.max(last + 0.001, Math.round(performance.now() - from) / 1000);
    // A client that has gone is told of by the transport.
    notify({ method: "notifications/progress", params: { progressToken, progress: last, message } }).catch(() => {});
  };
  return {
    heartbeatMs,
    onHeartbeat: (beat) => tell(aliveMessage(beat)),
    onToolProgress: (told) => tell(toolMessage(told)),
  };
}

function aliveMessage({ phase, elapsedMs }: Heartbeat): string {
  const doing = phase === "waiting" ? "waits for tools" : phase === "queued" ? "waits for its turn" : "runs";
  return `cell ${doing}, ${Math.round(elapsedMs / 1000)} s`;
}

function toolMessage({ tool, progress, total, message }: CellToolProgress): string {
  const far = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return `${tool}: ${far}${message === undefined ? "" : ` (${message})`}`;
}
