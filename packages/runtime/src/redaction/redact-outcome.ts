import {
  createReference,
  type Display,
  type OutcomeData,
  type OutcomeError,
  type Reference,
  type ToolCallRecord,
} from "@artificer/protocol";
import { redactValue } from "./redact-value.js";

type Redact = (text: string) => string;

/** The outcome with the texts redacted that did not come through a stream: those are clean already. */
export function redactOutcome(outcome: OutcomeData, redact: Redact): OutcomeData {
  const { value, repr, reference, traceback, error, toolCalls, notices, state } = outcome;
  return {
    ...outcome,
    value: value === undefined ? undefined : redactValue(value, redact),
    repr: repr === undefined ? undefined : redact(repr),
    reference: reference && redactReference(reference, redact),
    traceback: traceback === undefined ? undefined : redact(traceback),
    error: error && redactError(error, redact),
    toolCalls: toolCalls.map((call) => redactCall(call, redact)),
    notices: notices.map(redact),
    state: state.note === undefined ? state : { ...state, note: redact(state.note) },
  };
}

/** Texts are redacted; pictures and other bytes are let be. */
export function redactDisplay({ data, metadata }: Display, redact: Redact): Display {
  const parts = Object.entries(data).map(([mime, part]): [string, string | Uint8Array] => [
    mime,
    // Pictures may come as base64 text.
    typeof part === "string" && (!mime.startsWith("image/") || mime.endsWith("+xml")) ? redact(part) : part,
  ]);
  return { data: Object.fromEntries(parts), metadata: redactValue(metadata, redact) as Display["metadata"] };
}

function redactReference(reference: Reference, redact: Redact): Reference {
  return createReference({ ...reference, head: redact(reference.head), tail: redact(reference.tail) });
}

function redactError(error: OutcomeError, redact: Redact): OutcomeError {
  return {
    ...error,
    message: redact(error.message),
    ...(error.hint === undefined ? {} : { hint: redact(error.hint) }),
    ...(error.problems === undefined
      ? {}
      : { problems: error.problems.map((one) => ({ ...one, message: redact(one.message) })) }),
  };
}

/** A call's error may tell what it was called with. */
export function redactCall(call: ToolCallRecord, redact: Redact): ToolCallRecord {
  return call.error === undefined ? call : { ...call, error: { ...call.error, message: redact(call.error.message) } };
}
