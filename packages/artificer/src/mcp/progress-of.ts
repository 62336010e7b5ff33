import type { RunOptions } from "@artificer/runtime";
import type { ServerContext } from "@modelcontextprotocol/server";

const heartbeatMs = 5_000;

/** Tells a client that asked for progress that its cell is alive, in seconds; clients take it as a reason to go on waiting. */
export function progressOf({
  _meta,
  notify,
}: ServerContext["mcpReq"]): Pick<RunOptions, "onHeartbeat" | "heartbeatMs"> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return {};
  let last = 0;
  return {
    heartbeatMs,
    onHeartbeat({ phase, elapsedMs }) {
      // Progress has to grow with each notification.
      last = Math.max(last + 0.001, Math.round(elapsedMs) / 1000);
      const message = `cell ${phase === "waiting" ? "waits for tools" : phase === "queued" ? "waits for its turn" : "runs"}, ${Math.round(elapsedMs / 1000)} s`;
      const params = { progressToken, progress: last, message };
      // A client that is gone is told so by the transport.
      notify({ method: "notifications/progress", params }).catch(() => {});
    },
  };
}
