import { createRequire } from "node:module";
import { getHeapStatistics } from "node:v8";
import type ts from "typescript";
import { createCellCompiler } from "./cell-compiler.js";
import type { CheckerMessage, CheckRequest } from "./checker-messages.js";

/*
 * The process that checks cells for whoever started it. It reads and never runs them, answers one question after another, and
 * ends with its host: a question that is being worked on is given up when the host is gone.
 */
const { specifier, nodeTypes, deadlineMs } = JSON.parse(process.argv[2]!) as CheckerSettings;
const host = process.ppid;

interface CheckerSettings {
  specifier: string;
  nodeTypes: boolean;
  deadlineMs: number;
}

function say(message: CheckerMessage): void {
  process.send?.(message);
}

function loadCompiler(): typeof ts | undefined {
  const hint =
    'Install "typescript" (5.4 or newer, below 7) beside artificer, e.g. `npm install typescript@6`, or run the cell without check.';
  let loaded: typeof ts;
  try {
    loaded = createRequire(import.meta.url)(specifier) as typeof ts;
  } catch (thrown) {
    const told = thrown instanceof Error ? thrown.message.split("\n")[0] : String(thrown);
    say({ kind: "missing", message: `Checking TypeScript cells needs the package "typescript": ${told}`, hint });
    return undefined;
  }
  if (typeof loaded.createLanguageService === "function") return loaded;
  const message = `Checking TypeScript cells needs a "typescript" that can be called as a library; version ${String(loaded.version)} can't.`;
  say({ kind: "missing", message, hint });
  return undefined;
}

process.on("disconnect", () => process.exit());
const compiler = loadCompiler();
if (compiler === undefined) process.disconnect();
else {
  const cells = createCellCompiler(compiler, { nodeTypes });
  process.on("message", (request: CheckRequest) => {
    const until = performance.now() + deadlineMs;
    let asked = 0;
    const isCancelled = () => {
      if (++asked % 64 === 0 && process.ppid !== host) process.exit();
      return performance.now() > until;
    };
    try {
      const result = cells.check(request, isCancelled);
      say({ kind: "result", result, heapBytes: getHeapStatistics().used_heap_size });
    } catch (thrown) {
      if (thrown instanceof compiler.OperationCanceledException) say({ kind: "late" });
      else say({ kind: "failed", message: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  });
  // What every cell is read against is read before the first one comes.
  const nothing = { folder: process.cwd(), tools: "", modules: [], known: [], assigned: [] };
  cells.check({ ...nothing, code: "console.log([1].map(String), await Promise.all([]))" }, () => false);
  say({ kind: "ready" });
}
