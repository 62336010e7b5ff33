import type { JsonObject, OutcomeData } from "@artificer/protocol";
import type { JournalDraft } from "./journal.js";

/** A longer text is kept by its beginning and end, in UTF-16 units. */
const maxText = 16_384;

/** What of a draft is kept: everything small, and of what may be large the ends. Values are kept as their language writes them. */
export function journalData(draft: JournalDraft): JsonObject {
  switch (draft.kind) {
    case "cell":
      return json({ language: draft.language, code: cut(draft.code), author: draft.author });
    case "tool-call":
      return json(draft.call);
    case "outcome":
      return outcomeData(draft.outcome);
  }
}

function outcomeData(outcome: OutcomeData): JsonObject {
  const { language, generation, status, repr, reference, stdout, stderr, traceback, error } = outcome;
  const { truncated, notices, state, startedAt, durations, toolCalls, displays } = outcome;
  return json({
    language,
    generation,
    status,
    repr: repr === undefined ? undefined : cut(repr),
    reference: reference && { id: reference.id, bytes: reference.bytes, artifact: reference.artifact },
    names: outcome.names,
    stdout: cut(stdout),
    stderr: cut(stderr),
    traceback: traceback === undefined ? undefined : cut(traceback),
    error: error && { ...error, message: cut(error.message) },
    toolCalls: toolCalls.length,
    displays: displays.map((display) => Object.keys(display.data)),
    truncated,
    notices: notices.map(cut),
    state,
    startedAt: startedAt.toISOString(),
    durations,
  });
}

function cut(text: string): string {
  if (text.length <= maxText) return text;
  const half = maxText / 2;
  return `${text.slice(0, half)}\n… ${text.length - maxText} characters left out …\n${text.slice(-half)}`;
}

/** Without the members that are undefined, and a copy of the rest. */
function json(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
