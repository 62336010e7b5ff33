import type { Language, OutcomeData, Truncation, Value } from "@artificer/protocol";
import type { ArtifactStore } from "../artifacts/artifact-store.js";
import type { SessionLimits } from "../session/limits.js";
import type { ActiveCell } from "./active-cell.js";
import { cleanText } from "./output-capture.js";
import type { CellEnding } from "./run-cell.js";
import type { CapturedStream } from "./stream-capture.js";
import { tellEnding } from "./tell-ending.js";

export interface CellOutcomeContext {
  session: string;
  artifacts: ArtifactStore;
  limits: SessionLimits;
  startedAt: Date;
  queuedMs: number;
  totalMs(): number;
}

/** Everything that is known of a cell that ran, as one outcome; what was cut is kept as artifacts first. */
export async function cellOutcome(
  active: ActiveCell,
  ending: CellEnding,
  context: CellOutcomeContext,
): Promise<OutcomeData> {
  const { result } = ending;
  const output = active.capture.finish();
  const told = tellEnding(ending);
  const notices = [...active.notices, ...told.notices];
  const truncated: Truncation[] = [];
  for (const stream of ["stdout", "stderr"] as const) {
    const cut = await keepWhole(stream, output[stream], active, context, notices);
    if (cut !== undefined) truncated.push(cut);
  }
  if (result?.valueProblem !== undefined)
    notices.push(`The value is shown but not carried: ${result.valueProblem.message}`);
  return {
    session: context.session,
    cell: active.cell,
    language: active.language,
    generation: active.kernel.generation,
    status: told.status,
    value: result?.hasValue ? (result.value as Value | undefined) : undefined,
    repr: result?.repr,
    reference: undefined,
    stdout: cleanText(output.stdout.text),
    stderr: cleanText(output.stderr.text),
    output: output.ordered,
    background: active.background,
    traceback: capTraceback(result?.error?.traceback, context.limits.maxTracebackChars, truncated),
    error: told.error,
    toolCalls: [...active.toolCalls.records],
    displays: active.displays,
    truncated,
    notices,
    state: told.state,
    startedAt: context.startedAt,
    durations: { totalMs: context.totalMs(), queuedMs: context.queuedMs, waitingMs: active.clock.waitingMs },
  };
}

async function keepWhole(
  what: "stdout" | "stderr",
  stream: CapturedStream,
  { cell }: { cell: number; language: Language },
  { artifacts, session }: CellOutcomeContext,
  notices: string[],
): Promise<Truncation | undefined> {
  if (stream.whole === undefined) return undefined;
  const cut: Truncation = { what, keptBytes: stream.keptBytes, totalBytes: stream.totalBytes };
  const name = `outputs/${session}/cell-${cell}-${what}.txt`;
  const text = cleanText(new TextDecoder().decode(stream.whole));
  try {
    await artifacts.save(name, text, { description: `${what} of cell ${cell}` });
    cut.artifact = name;
    if (stream.whole.byteLength < stream.totalBytes) {
      notices.push(
        `${name} holds the first ${stream.whole.byteLength} of ${stream.totalBytes} bytes; the rest was not kept.`,
      );
    }
  } catch (thrown) {
    notices.push(`The whole ${what} could not be kept: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
  return cut;
}

function capTraceback(traceback: string | undefined, maxChars: number, truncated: Truncation[]): string | undefined {
  if (traceback === undefined || traceback.length <= maxChars) return traceback;
  const head = Math.floor(maxChars * 0.4);
  const kept = `${traceback.slice(0, head)}\n[… ${traceback.length - maxChars} characters left out …]\n${traceback.slice(head - maxChars)}`;
  truncated.push({ what: "traceback", keptBytes: maxChars, totalBytes: traceback.length });
  return kept;
}
