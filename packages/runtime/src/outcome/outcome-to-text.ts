import type { Display, OutcomeData, OutputChunk, Reference } from "@artificer/protocol";

export interface OutcomeTextOptions {
  /** Longest text, in characters; default 60,000. The end is kept in full view, the middle goes first. */
  maxChars?: number;
}

/** What a model should read of an outcome: output, value, what was shown, what went wrong, what was lost. */
export function outcomeToText(outcome: OutcomeData, { maxChars = 60_000 }: OutcomeTextOptions = {}): string {
  const lines = [
    background(outcome.background),
    output(outcome),
    // A table that is the cell's value is written out as such; once is enough.
    outcome.displays
      .map(display)
      .filter((text) => text !== outcome.repr)
      .join("\n"),
    value(outcome),
    failure(outcome),
    outcome.truncated
      .map(
        (cut) =>
          `[${cut.what}: ${cut.keptBytes} of ${cut.totalBytes} bytes shown${cut.artifact === undefined ? "" : `; all of it: artifacts.load(${JSON.stringify(cut.artifact)})`}]`,
      )
      .join("\n"),
    outcome.notices.map((notice) => `[${notice}]`).join("\n"),
    outcome.state.note === undefined ? "" : `[${outcome.state.note}]`,
  ];
  const text = lines.filter((line) => line !== "").join("\n");
  return cut(text === "" ? "[completed, nothing printed and no value]" : text, maxChars);
}

function background(chunks: readonly OutputChunk[]): string {
  if (chunks.length === 0) return "";
  const text = chunks.map((chunk) => chunk.text).join("");
  return `[written after the previous cell had ended]\n${text.trimEnd()}\n[end of that]`;
}

function output({ output: chunks }: OutcomeData): string {
  const parts = chunks.map(({ stream, text }) => (stream === "stdout" ? text : `[stderr] ${text}`));
  return parts.join("").trimEnd();
}

function display({ data }: Display): string {
  const image = Object.keys(data).find((mime) => mime.startsWith("image/"));
  if (image !== undefined) {
    const part = data[image]!;
    return `[shown: ${image}, ${typeof part === "string" ? part.length : part.byteLength} bytes]`;
  }
  const text = data["text/markdown"] ?? data["text/plain"] ?? data["text/html"] ?? data["application/json"];
  return typeof text === "string" ? text : `[shown: ${Object.keys(data).join(", ")}]`;
}

function value({ cell, repr, reference }: OutcomeData): string {
  if (reference !== undefined) return `Out[${cell}]: ${describeReference(reference)}`;
  return repr === undefined ? "" : `Out[${cell}]: ${repr}`;
}

function describeReference(reference: Reference): string {
  const shape = reference.shape === undefined ? "" : ` of shape (${reference.shape.join(", ")})`;
  return `${reference.type}${shape}, ${reference.bytes} bytes, kept as ${reference.id}\n${reference.head}\n…\n${reference.tail}`;
}

function failure({ status, traceback, error }: OutcomeData): string {
  if (status === "completed") return "";
  if (status === "failed" && traceback !== undefined) {
    const hint = error?.hint === undefined ? "" : `\n[hint: ${error.hint}]`;
    return `${traceback.trimEnd()}${hint}`;
  }
  const told = error === undefined ? "" : `: ${error.message}${error.hint === undefined ? "" : ` ${error.hint}`}`;
  return [`[${status}${told}]`, traceback?.trimEnd() ?? ""].filter((line) => line !== "").join("\n");
}

function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = Math.floor(maxChars * 0.4);
  const tail = maxChars - head;
  return `${text.slice(0, head)}\n[… ${text.length - maxChars} characters left out …]\n${text.slice(-tail)}`;
}
