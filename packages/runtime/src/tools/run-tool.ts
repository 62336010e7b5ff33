import { ArtificerError, collectPieces, isPieces, type ToolCallContext } from "@artificer/protocol";
import type { ToolsetCallContext } from "../policy/tool-gate.js";
import { subscribeToAbort } from "./abort-subscription.js";
import type { ToolEntry } from "./tool-entry.js";

type Ending = "timed-out" | "cancelled";

const maxMessageChars = 4000;

/**
 * Lets the toolkit run one call under its time limit. The first cause wins: once the time is up or the caller has withdrawn,
 * the call ends so, whatever the tool still answers. The tool is told by its signal and given `settleMs` to wind up, so that
 * what it managed to say (partial output, say) goes into the error's details; then it is left alone.
 */
export function runTool(
  entry: ToolEntry,
  args: Record<string, unknown>,
  context: { call: ToolsetCallContext; settleMs: number; onLate?: (() => void) | undefined },
): Promise<unknown> {
  const { call, settleMs } = context;
  const { session, cell, owner, onProgress } = call;
  return new Promise((resolve, reject) => {
    let controller: AbortController | undefined;
    let ending: Ending | undefined;
    let endReason: unknown;
    let settleTimer: NodeJS.Timeout | undefined;
    let settled = false;
    // A controller costs more than the rest of the call: it is made for tools that look at their signal.
    const own: ToolCallContext = {
      session,
      ...(owner === undefined ? {} : { owner }),
      cell,
      get environment() {
        return call.environment;
      },
      // What is told once the call has ended is of no use to anybody.
      ...(onProgress === undefined ? {} : { onProgress: (told) => void (settled || onProgress(told)) }),
      get signal() {
        if (controller === undefined) {
          controller = new AbortController();
          if (ending !== undefined) controller.abort(endReason);
        }
        return controller.signal;
      },
    };

    const release = () => {
      settled = true;
      clearTimeout(timer);
      clearTimeout(settleTimer);
      unsubscribe();
    };
    const end = (cause: Ending, reason: unknown) => {
      if (ending !== undefined) return;
      ending = cause;
      settleTimer = setTimeout(() => fail(undefined), settleMs);
      endReason = reason;
      controller?.abort(reason);
    };
    const fail = (thrown: unknown) => {
      release();
      reject(ending === undefined ? toolFailure(entry, thrown) : endingError(entry, ending, thrown));
    };
    const succeed = (result: unknown) => {
      if (ending !== undefined) {
        if (ending === "cancelled") context.onLate?.();
        return fail(undefined);
      }
      release();
      resolve(result);
    };

    const timer = setTimeout(() => end("timed-out", timeoutReason(entry)), entry.timeoutMs);
    const cancel = (reason: unknown) => end("cancelled", reason);
    const unsubscribe = call.withdrawal?.subscribe(cancel) ?? subscribeToAbort(call.signal, cancel);
    try {
      const collect = (result: unknown) => {
        if (!isPieces(result)) return succeed(result);
        collectPieces(result, { signal: own.signal, tool: entry.path }).then(succeed, fail);
      };
      entry.toolkit.call(entry.definition.name, args, own).then(collect, fail);
    } catch (thrown) {
      // A toolkit written without `async` may throw instead of rejecting.
      fail(thrown);
    }
  });
}

/** The error for a call that was withdrawn before or while it ran. */
export function endingError(entry: ToolEntry, ending: Ending, thrown: unknown): ArtificerError {
  const told = ArtificerError.is(thrown) ? thrown.details : {};
  if (ending === "cancelled") {
    return new ArtificerError("tool/cancelled", `${entry.path} was cancelled.`, {
      details: { ...told, tool: entry.path },
    });
  }
  return new ArtificerError("tool/timed-out", `${entry.path} did not answer within ${seconds(entry.timeoutMs)}.`, {
    details: { ...told, tool: entry.path, timeoutMs: entry.timeoutMs },
    hint: "Ask for less at once, or let the host raise the tool's time limit.",
  });
}

/** Tool errors pass as they are; whatever else was thrown is told by its message alone, never by a stack. */
export function toolFailure(entry: ToolEntry, thrown: unknown): ArtificerError {
  if (ArtificerError.is(thrown) && /^(?:tool|approval|budget|secret)\//.test(thrown.code)) return thrown;
  const message = messageOf(thrown);
  return new ArtificerError("tool/failed", `${entry.path} failed: ${message}`, {
    details: {
      tool: entry.path,
      reason: message,
      ...(thrown instanceof Error ? { type: thrown.name } : {}),
      ...(ArtificerError.is(thrown) ? { ...thrown.details, code: thrown.code } : {}),
    },
    ...(ArtificerError.is(thrown) && thrown.hint !== undefined ? { hint: thrown.hint } : {}),
    cause: thrown,
  });
}

function messageOf(thrown: unknown): string {
  let message: string;
  try {
    message = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  } catch {
    message = "it threw something that can't be shown";
  }
  return message.length > maxMessageChars ? `${message.slice(0, maxMessageChars)}…` : message;
}

function timeoutReason(entry: ToolEntry): ArtificerError {
  return new ArtificerError("tool/timed-out", `${entry.path} has run for ${seconds(entry.timeoutMs)}.`);
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`;
}
