import type { CellToolProgress, RunOptions } from "@artificer/runtime";
import type { ServerContext } from "@modelcontextprotocol/server";

/**
 * Passes progress that tools report on to a client that asked for it. Several tools of a cell report side by side, and a client
 * wants to see numbers grow: what is counted are the reports, and each says in words how far which tool is.
 */
export function progressNotices({ _meta, notify }: ServerContext["mcpReq"]): Pick<RunOptions, "onToolProgress"> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return {};
  let reports = 0;
  return {
    onToolProgress: (told) => {
      const params = { progressToken, progress: ++reports, message: messageOf(told) };
      // A client that has gone needs no progress.
      notify({ method: "notifications/progress", params }).catch(() => {});
    },
  };
}

function messageOf({ tool, progress, total, message }: CellToolProgress): string {
  const far = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return `${tool}: ${far}${message === undefined ? "" : ` (${message})`}`;
}
