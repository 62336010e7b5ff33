import { ArtificerError, type ToolCallRecord, toArtificerError } from "@artificer/protocol";
import type { CallNotes } from "../policy/tool-gate.js";

/** One call under way: told when it reaches its tool and how it ends. */
export interface ToolCallEntry {
  reached(): void;
  succeed(): void;
  fail(thrown: unknown): void;
  /** Bytes of the answer on the wire. */
  answered(bytes: number): void;
  /** What policy says of it. */
  readonly notes: CallNotes;
}

/** What may be said of a call that did not end before its cell. */
const unknownEffect = "whether it took effect is unknown, and its late answer is dropped.";

/** The tool calls of one cell, and the bound on their number. */
export class ToolCallLog {
  readonly #maxCalls: number;
  readonly #records: ToolCallRecord[] = [];
  #refused = 0;

  readonly #onCall: ((record: ToolCallRecord, index: number) => void) | undefined;

  /** `onCall` is told of every call, with its place among `records`, as it begins, and again when it has ended. */
  constructor(maxCalls: number, onCall?: (record: ToolCallRecord, index: number) => void) {
    this.#maxCalls = maxCalls;
    this.#onCall = onCall;
  }

  get records(): readonly ToolCallRecord[] {
    return this.#records;
  }

  /** @throws ArtificerError `tool/limit-reached`; the cell goes on and sees the error. */
  begin(tool: string): ToolCallEntry {
    const record: ToolCallRecord = { tool, status: "pending", reached: false, durationMs: 0, resultBytes: 0 };
    if (this.#records.length - this.#refused >= this.#maxCalls) throw this.#refuse(record);
    const index = this.#records.push(record) - 1;
    this.#onCall?.({ ...record }, index);
    const startedAt = performance.now();
    return {
      reached() {
        record.reached = true;
      },
      succeed() {
        record.status = record.plan === undefined ? "completed" : "planned";
        record.durationMs = performance.now() - startedAt;
      },
      fail(thrown) {
        const { code, message } = toArtificerError(thrown, "tool/failed");
        record.status = code === "tool/cancelled" ? "cancelled" : record.reached ? "failed" : "refused";
        record.durationMs = performance.now() - startedAt;
        record.error = { code, message };
      },
      answered: (bytes) => {
        record.resultBytes = bytes;
        this.#onCall?.({ ...record }, index);
      },
      notes: {
        callsSoFar: index,
        planned(plan) {
          record.plan = plan;
        },
        approval(how) {
          record.approval = how;
        },
        cached() {
          record.cached = true;
        },
      },
    };
  }

  /** At the cell's end. A call still under way when its cell was stopped is cancelled: told as such, with whether it had reached its tool. */
  conclude(stopped: boolean): string[] {
    if (!stopped) return [];
    const notices: string[] = [];
    for (const record of this.#records) {
      if (record.status === "pending") record.status = "cancelled";
      if (record.status === "cancelled" && record.reached)
        notices.push(`${record.tool} was under way when the cell was stopped: ${unknownEffect}`);
    }
    return notices;
  }

  #refuse(record: ToolCallRecord): ArtificerError {
    const error = new ArtificerError(
      "tool/limit-reached",
      `This cell has made its ${this.#maxCalls} tool calls; ${record.tool} was not called.`,
      {
        details: { maxToolCalls: this.#maxCalls },
        hint: "Spread the work over several cells, or raise limits.maxToolCalls.",
      },
    );
    record.status = "refused";
    record.error = { code: error.code, message: error.message };
    // A loop that ignores the refusal must not fill the host's memory with records of it.
    if (this.#refused++ < 100) {
      this.#onCall?.({ ...record }, this.#records.push(record) - 1);
    } else this.#refused--;
    return error;
  }
}
