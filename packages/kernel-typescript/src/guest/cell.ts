import type { ToolCall } from "./handles/tool-call.js";

/** How a cell came to its end. */
export type CellEnding =
  | { kind: "evaluated"; reply: EvaluateReply }
  | { kind: "failed"; error: unknown }
  | { kind: "interrupted"; trace: string }
  | { kind: "exited"; code: number };

/** What the inspector answers to `Runtime.evaluate`. */
export interface EvaluateReply {
  result: RemoteValue;
  exceptionDetails?: { text: string; lineNumber: number; columnNumber: number; exception?: RemoteValue };
}

export interface RemoteValue {
  type: string;
  value?: unknown;
  unserializableValue?: string;
  objectId?: string;
}

/** One cell while it runs. It ends once; what its code does afterwards is in the background. */
export class Cell {
  readonly number: number;
  /** The request that runs it: withdrawing it interrupts the cell. */
  readonly request: number;
  readonly ended: Promise<CellEnding>;
  readonly calls: ToolCall[] = [];
  displays = 0;
  /** Under which ids it has shown something. */
  readonly displayIds = new Set<string>();
  /** Set when the cell was interrupted: its timers don't fire and its calls don't return any more. */
  interrupted = false;
  /** Set when the host has withdrawn the cell. */
  unwanted = false;
  /** How often the watchdog has found it still running after that. */
  overstays = 0;
  /** Set when the watchdog is ending code that holds the event loop up. */
  terminating = false;
  #end: (ending: CellEnding) => void = () => {};
  #ending: CellEnding | undefined;

  constructor(number: number, request: number) {
    this.number = number;
    this.request = request;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get isOver(): boolean {
    return this.#ending !== undefined;
  }

  end(ending: CellEnding): void {
    // While code is being ended by force, the inspector reports errors of its own making.
    if (this.#ending !== undefined || (this.terminating && ending.kind !== "interrupted")) return;
    if (ending.kind === "interrupted") this.interrupted = true;
    this.#ending = ending;
    this.#end(ending);
  }
}
