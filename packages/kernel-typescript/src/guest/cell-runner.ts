import { randomBytes } from "node:crypto";
import type { CellError, CellRunResult, KernelStartParams } from "@artificer/protocol";
import { type CellHeader, type SourceProblem, splitPrepared } from "../prepare/cell-header.js";
import { activity } from "./activity.js";
import { type Bridge, Returned } from "./bridge.js";
import type { Cell, CellEnding, EvaluateReply } from "./cell.js";
import { valueFields } from "./cell-result.js";
import { cellScripts } from "./cell-script.js";
import { describeError } from "./describe-error.js";
import type { Evaluator } from "./evaluator.js";
import { ExitSignal } from "./exit-signal.js";
import type { History } from "./history.js";
import { type Importer, importLines } from "./importer.js";
import type { Interrupts } from "./interrupts.js";
import { limitCode } from "./limit-code.js";
import { outputDoubt, writeThrough } from "./output.js";
import { startImmediate } from "./primordials.js";
import { beforeMark, registerScript, sourceColumn } from "./stack-trace.js";
import type { Variables } from "./variables.js";

/** A finished cell, its value encoded. */
export interface FinishedCell {
  result: Partial<CellRunResult>;
  parts: Uint8Array[];
}

interface Parts {
  evaluator: Evaluator;
  importer: Importer;
  bridge: Bridge;
  interrupts: Interrupts;
  variables: Variables;
  history: History;
  /** The limits of the operating system that were set on purpose. */
  resources: () => Readonly<Record<string, number>>;
  limits: () => KernelStartParams["limits"];
  /** Keeps the scripts of cells, when variables are saved. */
  keepScript: (script: string, text: string, shifts: CellHeader["shifts"]) => void;
}

/** Runs cells, one at a time, each to its one end. */
export class CellRunner {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async run(cell: Cell, code: string): Promise<FinishedCell> {
    const { header, body } = splitPrepared(code);
    if (header.problem !== undefined) {
      return {
        result: { status: "failed", hasValue: false, error: syntaxError(header.problem, cell.number) },
        parts: [],
      };
    }
    const url = registerScript("cell", String(cell.number), header.shifts);
    activity.cell = activity.last = cell;
    this.#parts.history.bind();
    this.#parts.interrupts.begin();
    try {
      // A promise job of its own, when no other is waiting: code that is ended by force takes its job and all that wait along.
      startImmediate(() => queueMicrotask(() => this.#start(cell, header, body, url)));
      const ending = await cell.ended;
      // Rejections that nobody handles are told once the promise jobs are done, and belong to this cell.
      await new Promise((resolve) => startImmediate(resolve));
      return this.#finish(cell, header, ending);
    } finally {
      this.#parts.interrupts.end();
      activity.cell = undefined;
    }
  }

  #start(cell: Cell, header: CellHeader, body: string, url: string): void {
    this.#parts.keepScript(String(cell.number), body, header.shifts);
    const simple = header.imports === undefined && header.vars === undefined && header.hoisted === undefined;
    if (simple) this.#evaluate(cell, body, url);
    else this.#before(cell, header, body, url).catch((error: unknown) => cell.end({ kind: "failed", error }));
  }

  /** Carries out imports and declarations, then the body. */
  async #before(cell: Cell, header: CellHeader, body: string, url: string): Promise<void> {
    const { bridge, importer } = this.#parts;
    const imported = await importer.bind(header.imports ?? []);
    const vars: string[] = [];
    for (const name of header.vars ?? []) if (!(await this.#isBound(name))) vars.push(name);
    bridge.bound = imported.map(([, value]) => value);
    const locals = imported.map(([local]) => local);
    const { before, body: rest, shifts } = cellScripts(header, body, locals, vars);
    if (before === undefined) return this.#evaluate(cell, rest, url);
    const beforeUrl = registerScript("cell", `${cell.number}${beforeMark}`, shifts);
    this.#parts.keepScript(`${cell.number}${beforeMark}`, before, shifts);
    this.#parts.evaluator.run(before, beforeUrl, (reply) => {
      bridge.bound = [];
      if (reply === undefined || reply.exceptionDetails !== undefined) this.#end(cell, reply);
      else if (!cell.isOver) this.#evaluate(cell, rest, url);
    });
  }

  /** True for a name that a cell has bound and whose initialiser did not fail. */
  #isBound(name: string): Promise<boolean> {
    const { evaluator } = this.#parts;
    if (!evaluator.lexicalNames().includes(name)) return Promise.resolve(false);
    return new Promise((resolve) => {
      evaluator.run(`typeof ${name}`, "artificer:bound", (reply) => {
        resolve(reply !== undefined && reply.exceptionDetails === undefined);
      });
    });
  }

  #evaluate(cell: Cell, script: string, url: string): void {
    this.#parts.evaluator.run(script, url, (reply) => this.#end(cell, reply));
  }

  #end(cell: Cell, reply: EvaluateReply | undefined): void {
    if (reply !== undefined) cell.end({ kind: "evaluated", reply });
    else cell.end({ kind: "failed", error: new Error("The cell was ended by the inspector.") });
  }

  #finish(cell: Cell, header: CellHeader, ending: CellEnding): FinishedCell {
    const finished = this.#conclude(cell, header, ending);
    const unawaited = cell.calls.filter((call) => !call.awaited).map((call) => call.tool);
    const marker = this.#mark();
    const names = this.#bound(header.names ?? []);
    Object.assign(finished.result, { unawaited, names, ...(marker === undefined ? {} : { marker }) });
    return finished;
  }

  /** Those names that are really bound: a cell that failed midway may not have got to all of them. */
  #bound(names: readonly string[]): string[] {
    if (names.length === 0) return [];
    const bound = new Set(this.#parts.variables.names());
    return names.filter((name) => bound.has(name));
  }

  #conclude(cell: Cell, header: CellHeader, ending: CellEnding): FinishedCell {
    const { evaluator } = this.#parts;
    switch (ending.kind) {
      case "interrupted": {
        const message = "The cell was interrupted.";
        const line = /\bcell \d+:(\d+):/.exec(ending.trace)?.[1];
        const traceback = `Interrupted: ${message}${ending.trace === "" ? "" : `\n${ending.trace}`}`;
        const error = {
          type: "Interrupted",
          message,
          traceback,
          ...(line === undefined ? {} : { line: Number(line) }),
        };
        return { result: { status: "interrupted", hasValue: false, error }, parts: [] };
      }
      case "exited":
        return { result: { status: "exited", hasValue: false, exitCode: ending.code }, parts: [] };
      case "failed":
        return this.#notStarted(cell, ending.error);
      case "evaluated": {
        const { result, exceptionDetails } = ending.reply;
        if (exceptionDetails !== undefined) {
          const thrown = exceptionDetails.exception;
          const error = thrown === undefined ? new Error(exceptionDetails.text) : evaluator.valueOf(thrown);
          if (error instanceof Returned) return this.#valued(cell, error.value);
          if (error instanceof ExitSignal) {
            return { result: { status: "exited", hasValue: false, exitCode: error.code }, parts: [] };
          }
          return this.#failed(cell, error, exceptionDetails);
        }
        return this.#valued(cell, header.valued === true ? evaluator.valueOf(result) : undefined);
      }
    }
  }

  #valued(cell: Cell, value: unknown): FinishedCell {
    if (value === undefined) return { result: { status: "completed", hasValue: false }, parts: [] };
    const { history, limits } = this.#parts;
    history.add(cell.number, value);
    const { fields, parts } = valueFields(value, limits(), () => history.large(cell.number));
    return { result: { status: "completed", ...fields }, parts };
  }

  #failed(cell: Cell, thrown: unknown, details?: EvaluateReply["exceptionDetails"]): FinishedCell {
    const error = describeError(thrown, cell.number, () => this.#parts.variables.hints());
    const code = error.code === undefined ? limitCode(thrown, this.#parts.resources()) : undefined;
    if (code !== undefined) error.code = code;
    // V8's own syntax errors have no frame in the cell: where they are is told beside them.
    if (error.line === undefined && details !== undefined && thrown instanceof SyntaxError) {
      const line = details.lineNumber + 1;
      const column = sourceColumn(`cell-${cell.number}`, line, details.columnNumber + 1);
      Object.assign(error, {
        line,
        traceback: `${error.type}: ${error.message}\n    at cell ${cell.number}:${line}:${column}`,
      });
    }
    return { result: { status: "failed", hasValue: false, error }, parts: [] };
  }

  /** An import failed: its line is where the cell failed, wherever the module itself did. */
  #notStarted(cell: Cell, thrown: unknown): FinishedCell {
    const failed = this.#failed(cell, thrown);
    const line = typeof thrown === "object" && thrown !== null ? importLines.get(thrown) : undefined;
    const { error } = failed.result;
    if (line === undefined || error === undefined) return failed;
    Object.assign(error, { line, traceback: `${error.traceback}\n    at cell ${cell.number}:${line}:1` });
    return failed;
  }

  /** Marks both streams' ends, unless the kernel is sure that nothing was written. */
  #mark(): string | undefined {
    if (!outputDoubt.wrote && !outputDoubt.always) return undefined;
    const marker = `\0artificer:${randomBytes(12).toString("hex")}\0`;
    const bytes = Buffer.from(marker);
    writeThrough(1, bytes);
    writeThrough(2, bytes);
    outputDoubt.wrote = false;
    return marker;
  }
}

function syntaxError({ message, line, column, hint }: SourceProblem, cell: number): CellError {
  const told = hint === undefined ? message : `${message} ${hint}`;
  return {
    type: "SyntaxError",
    message: told,
    traceback: `SyntaxError: ${told}\n    at cell ${cell}:${line}:${column}`,
    line,
    code: "cell/syntax",
  };
}
