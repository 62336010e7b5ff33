import type { Language, ToolProgress } from "@artificer/protocol";
import type { ToolCallEntry } from "../cell/tool-call-log.js";
import type { Withdrawal } from "../kernel/withdrawal.js";
import type { CallNotes, ToolsetCallContext } from "../policy/tool-gate.js";
import type { HandleCall, Namespaces } from "./handle-context.js";

/** What a call is made of. */
export interface RunningCallParts {
  namespaces: Namespaces;
  handle: HandleCall;
  entry: ToolCallEntry;
  /** `toolkit.tool`. */
  tool: string;
  /** Of the cell that calls, where the kernel knows it. */
  line: number | undefined;
}

/**
 * What the toolset is told of one call of a cell while it runs. Getters of a class cost nothing until they are asked; those of an
 * object made for each call cost more than the rest of the call.
 */
export class RunningCall implements ToolsetCallContext {
  readonly session: string;
  readonly cell: number;
  readonly language: Language;
  readonly withdrawal: Withdrawal;
  readonly notes: CallNotes;
  readonly onReached: () => void;
  readonly onLate: () => void;
  declare readonly owner?: string;
  declare readonly running?: number;
  declare readonly code?: string;
  declare readonly line?: number;
  declare readonly onParked?: () => () => void;
  declare readonly onProgress?: (progress: ToolProgress) => void;
  readonly #environment: Namespaces["environment"];

  constructor({ namespaces, handle, entry, tool, line }: RunningCallParts) {
    const { session, environment, policy } = namespaces;
    const { cell, active, running } = handle;
    this.session = session;
    this.cell = cell;
    this.language = handle.language;
    this.withdrawal = handle.withdrawal;
    this.notes = entry.notes;
    this.onReached = entry.reached;
    this.onLate = () =>
      handle.remark(`${tool}, called by cell ${cell} and cancelled, answered late; its answer was dropped.`);
    this.#environment = environment;
    if (policy.owner !== undefined) this.owner = policy.owner;
    if (running !== undefined) this.running = running;
    if (line !== undefined) this.line = line;
    if (active === undefined) return;
    this.code = active.code;
    this.onParked = () => active.clock.hold();
    const told = active.onToolProgress;
    if (told !== undefined) this.onProgress = (how) => told({ ...how, tool, cell });
  }

  get signal(): AbortSignal {
    return this.withdrawal.signal;
  }

  get environment(): Readonly<Record<string, string>> {
    return this.#environment();
  }
}
