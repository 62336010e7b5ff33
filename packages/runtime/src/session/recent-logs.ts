import type { ToolCallLog } from "../cell/tool-call-log.js";

const maxLogs = 100;

/** The tool-call logs of the latest cells: a thread that outlives its cell still counts against it. */
export class RecentLogs {
  readonly #logs = new Map<number, ToolCallLog>();

  add(cell: number, log: ToolCallLog): void {
    this.#logs.set(cell, log);
    if (this.#logs.size > maxLogs) this.#logs.delete(this.#logs.keys().next().value!);
  }

  get(cell: number): ToolCallLog | undefined {
    return this.#logs.get(cell);
  }
}
