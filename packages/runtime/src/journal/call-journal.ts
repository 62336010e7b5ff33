import type { ToolCallRecord } from "@artificer/protocol";
import type { Journal } from "./journal.js";

/** Writes a cell's tool calls down as each ends, so that a host that dies leaves what was done; and those that never ended with the outcome. */
export function callJournal(journal: Journal, cell: number) {
  const written = new Set<number>();
  const write = (call: ToolCallRecord, index: number) => {
    if (written.has(index)) return;
    written.add(index);
    journal.append({ kind: "tool-call", cell, call });
  };
  return {
    /** A call began or ended. */
    told(call: ToolCallRecord, index: number): void {
      if (call.status !== "pending") write(call, index);
    },
    rest(calls: readonly ToolCallRecord[]): void {
      for (const [index, call] of calls.entries()) write(call, index);
    },
  };
}
