import {
  type CellRunResult,
  isErrorCode,
  type OutcomeData,
  type OutcomeError,
  type Truncation,
  type Value,
} from "@artificer/protocol";
import type { ArtifactStore } from "../artifacts/artifact-store.js";
import { keptName } from "../artifacts/kept-outputs.js";
import { redactOutcome } from "../redaction/redact-outcome.js";
import type { SessionLimits } from "../session/limits.js";
import type { ActiveCell } from "./active-cell.js";
import { capTraceback } from "./cap-traceback.js";
import { failureHint, type HintFacts } from "./failure-hint.js";
import { keepArtifact } from "./keep-artifact.js";
import type { CellEnding } from "./run-cell.js";
import type { CapturedStream } from "./stream-capture.js";
import { tellEnding } from "./tell-ending.js";
import { tellValue } from "./tell-value.js";

/** What an outcome takes from the session of its cell. */
export interface OutcomeSession {
  session: string;
  artifacts: ArtifactStore;
  limits: SessionLimits;
  hints: HintFacts;
  /** The value goes to another cell, not to a reader: as it is, whatever its size. */
  forCell: boolean;
}

export interface CellOutcomeContext {
  of: OutcomeSession;
  /** The names that the kernel's cells have bound so far. */
  names: ReadonlySet<string>;
  startedAt: Date;
  queuedMs: number;
  totalMs(): number;
}

interface Telling {
  of: OutcomeSession;
  active: ActiveCell;
  truncated: Truncation[];
  notices: string[];
}

/** An exception's message may be as long as the data that it complains of; the traceback has it as well. */
const maxMessageChars = 4_000;

/** Everything that is known of a cell that ran, as one outcome; what was cut is kept as artifacts first. */
export async function cellOutcome(
  active: ActiveCell,
  ending: CellEnding,
  context: CellOutcomeContext,
): Promise<OutcomeData> {
  const { result } = ending;
  const { of } = context;
  const output = active.capture.finish();
  const told = tellEnding(ending);
  const telling: Telling = {
    of,
    active,
    truncated: [...active.truncated],
    notices: [
      ...active.notices,
      ...told.notices,
      ...active.toolCalls.conclude(ending.stop !== undefined || ending.end !== undefined),
    ],
  };
  const { truncated, notices } = telling;
  for (const what of ["stdout", "stderr"] as const)
    if (output[what].whole !== undefined) await keepStream(what, output[what], telling);
  const { cell, redact } = active;
  const { session, artifacts } = of;
  const toldValue = tellValue(of.forCell ? undefined : result, {
    session,
    artifacts,
    cell,
    redact,
    truncated,
    notices,
  });
  const value = toldValue instanceof Promise ? await toldValue : toldValue;
  const raw = result?.error?.traceback;
  const traceback = raw === undefined ? undefined : await keepTraceback(raw, telling);
  const lost = told.state.variables === "lost";
  const data = redactOutcome(
    {
      session,
      cell,
      language: active.language,
      generation: active.kernel.generation,
      status: told.status,
      value: value.value,
      repr: value.repr,
      reference: value.reference,
      stdout: output.stdout.text,
      stderr: output.stderr.text,
      output: output.ordered,
      background: active.background,
      traceback,
      error: told.error && outcomeError(told.error, telling),
      names: lost ? [] : (result?.names ?? []),
      toolCalls: active.toolCalls.records.map((record) => ({ ...record })),
      shared: active.shared,
      displays: active.displays,
      truncated,
      notices,
      state: lost ? { ...told.state, names: [...context.names] } : told.state,
      startedAt: context.startedAt,
      durations: { totalMs: context.totalMs(), queuedMs: context.queuedMs, waitingMs: active.clock.waitingMs },
    },
    active.redact,
  );
  const redacted = active.redactions.notice();
  if (redacted !== undefined) data.notices.push(redacted);
  return of.forCell ? withRawValue(data, result) : data;
}

/** Whoever called for the value must not be given nothing in its place. */
function withRawValue(data: OutcomeData, result: CellRunResult | undefined): OutcomeData {
  const problem = result?.valueProblem;
  if (problem === undefined) return { ...data, value: result?.value as Value | undefined };
  const code = isErrorCode(problem.code) ? problem.code : "value/not-encodable";
  return { ...data, status: "failed", error: { code, message: problem.message } };
}

async function keepStream(what: "stdout" | "stderr", stream: CapturedStream, telling: Telling): Promise<void> {
  if (stream.whole === undefined) return;
  const { active, truncated, notices } = telling;
  const { artifacts, session } = telling.of;
  const cut: Truncation = { what, keptBytes: stream.keptBytes, totalBytes: stream.totalBytes };
  truncated.push(cut);
  const name = keptName(session, `cell-${active.cell}-${what}.txt`);
  const value = new TextDecoder().decode(stream.whole);
  const artifact = await keepArtifact(
    artifacts,
    { name, value, description: `${what} of cell ${active.cell}` },
    notices,
  );
  if (artifact === undefined) return;
  cut.artifact = artifact;
  if (stream.whole.byteLength < stream.totalBytes) {
    notices.push(
      `${name} holds the first ${stream.whole.byteLength} of ${stream.totalBytes} bytes; the rest was not kept.`,
    );
  }
}

async function keepTraceback(traceback: string, telling: Telling): Promise<string> {
  const { active, truncated, notices } = telling;
  const { artifacts, session, limits } = telling.of;
  // Redacted first: the cut must not leave half a secret.
  const whole = active.redact(traceback);
  const { text, keptBytes, totalBytes } = capTraceback(whole, limits.maxTracebackBytes);
  if (keptBytes === totalBytes) return text;
  const cut: Truncation = { what: "traceback", keptBytes, totalBytes };
  truncated.push(cut);
  const name = keptName(session, `cell-${active.cell}-traceback.txt`);
  const kept = { name, value: whole, description: `traceback of cell ${active.cell}` };
  const artifact = await keepArtifact(artifacts, kept, notices);
  if (artifact !== undefined) cut.artifact = artifact;
  return text;
}

function outcomeError(error: OutcomeError, { active, of: { hints } }: Telling): OutcomeError {
  const { language, toolCalls } = active;
  const hint = error.hint ?? failureHint(error, { language, toolCalls: toolCalls.records }, hints);
  return { ...error, message: capMessage(error.message), ...(hint === undefined ? {} : { hint }) };
}

function capMessage(message: string): string {
  if (message.length <= maxMessageChars) return message;
  return `${message.slice(0, maxMessageChars)}… (${message.length} characters)`;
}
