import type { ColumnShift } from "../prepare/cell-header.js";

const scripts = new Map<string, ColumnShift[]>();
/** At the end of the name of a script that goes before a cell's body, with shifts of its own besides the body's. */
export const beforeMark = "~";
const place = /artificer:(cell|skill)-([^:)\s]+):(\d+):(\d+)/g;

/** Names a source for stack traces and says where its columns moved. */
export function registerScript(kind: "cell" | "skill", name: string, shifts: ColumnShift[] | undefined): string {
  const id = `${kind}-${name}`;
  if (shifts === undefined) scripts.delete(id);
  else scripts.set(id, shifts);
  return `artificer:${id}`;
}

/** Columns as the user wrote them. */
export function sourceColumn(id: string, line: number, column: number): number {
  const before = scripts.get(id)?.filter((shift) => shift.line === line && shift.column <= column) ?? [];
  return Math.max(1, column - before.reduce((sum, shift) => sum + shift.by, 0));
}

/** Makes every stack, also one that a cell prints itself, name cells as the user knows them, with no frame of the kernel's. */
export function installStackTraces(): void {
  Error.stackTraceLimit = 30;
  Error.prepareStackTrace = (error, sites) => {
    const frames = sites.map(String).filter((frame) => !isOurs(frame));
    const last = frames.findLastIndex((frame) => !frame.includes("node:") && !frame.includes("(<anonymous>)"));
    const kept = frames.slice(0, last + 1);
    return [headOf(error), ...kept.map((frame) => `    at ${renamed(frame)}`)].join("\n");
  };
}

/** Where the code that runs right now is, and whether any runs below `above`. */
export function stackBelow(above: (...args: never[]) => unknown): { busy: boolean; frames: string } {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const holder: { stack?: unknown } = {};
  try {
    Error.stackTraceLimit = 200;
    Error.prepareStackTrace = (_, sites) => sites.map(String);
    Error.captureStackTrace(holder, above);
    const sites = holder.stack as unknown as string[];
    // The topmost is the watchdog's own evaluation.
    const below = sites.slice(1);
    const frames = below.filter((frame) => frame.includes("artificer:")).map((frame) => `    at ${renamed(frame)}`);
    return { busy: below.length > 0, frames: frames.join("\n") };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = prepareStackTrace;
  }
}

function isOurs(frame: string): boolean {
  return frame.includes(__filename) || frame.includes("node:inspector");
}

function renamed(frame: string): string {
  return frame.replace(place, (_, kind: string, script: string, line: string, column: string) => {
    const name = script.endsWith(beforeMark) ? script.slice(0, -beforeMark.length) : script;
    let original = Number(column);
    if (name !== script) original = sourceColumn(`${kind}-${script}`, Number(line), original);
    original = sourceColumn(`${kind}-${name}`, Number(line), original);
    return `${kind} ${name}:${line}:${original}`;
  });
}

function headOf(error: unknown): string {
  try {
    const { name, code } = error as { name?: unknown; code?: unknown };
    const head = Error.prototype.toString.call(error);
    // Node writes its own errors' codes beside the name.
    if (typeof code !== "string" || !code.startsWith("ERR_") || typeof name !== "string") return head;
    return head.startsWith(name) && !head.includes(code) ? `${name} [${code}]${head.slice(name.length)}` : head;
  } catch {
    return "Error";
  }
}
