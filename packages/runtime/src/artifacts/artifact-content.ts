import { ArtificerError, encodeValue, isReference, Table, Tuple, type Value } from "@artificer/protocol";
import type { ArtifactKind } from "./artifact-store.js";
import { contentTypeOf } from "./content-types.js";
import { isValueDocument, readValueDocument, writeValueDocument } from "./value-document.js";

/** Characters of JSON up to which it is laid out for people. */
const maxIndented = 2 ** 20;

export interface ArtifactContent {
  kind: ArtifactKind;
  contentType: string;
  bytes: Uint8Array;
}

/**
 * The file that keeps a value: text and bytes as they are, plain JSON as a JSON file that people can read, all else as a document.
 *
 * @throws ArtificerError `value/not-encodable`, `value/cycle`, `value/too-deep`
 */
export function artifactContent(name: string, value: Value): ArtifactContent {
  const guessed = contentTypeOf(name);
  if (value instanceof Uint8Array) {
    return { kind: "bytes", contentType: guessed ?? "application/octet-stream", bytes: value };
  }
  // Half a surrogate pair has no UTF-8; JSON can write it down.
  if (typeof value === "string" && !/\p{Cs}/u.test(value)) {
    return { kind: "text", contentType: guessed ?? "text/plain", bytes: utf8(value) };
  }
  if (value === undefined) {
    throw new ArtificerError("value/not-encodable", `There is no value to save as ${name}.`, {
      hint: "Save null for nothing, or delete the artifact.",
    });
  }
  encodeValue(value);
  if (isPlainJson(value)) {
    const compact = JSON.stringify(value);
    // Nobody reads a megabyte line by line, and indenting what is deeply nested can make a hundred of it.
    const text = compact.length > maxIndented ? compact : JSON.stringify(value, undefined, 2);
    return { kind: "json", contentType: "application/json", bytes: utf8(`${text}\n`) };
  }
  return { kind: "value", contentType: "application/json", bytes: utf8(writeValueDocument(value)) };
}

/** @throws ArtificerError `artifact/unreadable` when the bytes are not what `kind` says. */
export function artifactValue(name: string, kind: ArtifactKind, bytes: Uint8Array): Value {
  if (kind === "bytes") return bytes;
  const text = utf8Text(bytes);
  if (text === undefined) throw unreadable(name, `was kept as ${kind}, but its bytes are no UTF-8 any more`);
  if (kind === "text") return text;
  // Some editors put a byte order mark before JSON; it is no part of it.
  const json = text.replace(/^\uFEFF/, "");
  try {
    return kind === "json" ? (JSON.parse(json) as Value) : readValueDocument(json);
  } catch (cause) {
    throw unreadable(name, `is no valid ${kind === "json" ? "JSON" : "value document"}${place(json, cause)}`, cause);
  }
}

/** The kind of a file that somebody put there. */
export function kindOfFile(name: string, text: string | undefined): ArtifactKind {
  if (text !== undefined && isValueDocument(text)) return "value";
  if (contentTypeOf(name) === "application/json") return "json";
  return text === undefined ? "bytes" : "text";
}

/** Undefined when the bytes are no UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** True when JSON.parse gives back what JSON.stringify was given. The value is known to be encodable: it has no cycles. */
function isPlainJson(value: unknown): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0);
    case "object":
      if (value === null) return true;
      if (Array.isArray(value))
        return !(value instanceof Tuple || value instanceof Table) && Array.from(value).every(isPlainJson);
      if (value instanceof Date || value instanceof Set || value instanceof Map || ArrayBuffer.isView(value))
        return false;
      if (isReference(value)) return false;
      return Object.values(value).every((member) => member === undefined || isPlainJson(member));
    default:
      return false;
  }
}

function place(text: string, cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined) return `: ${message}`;
  const line = text.slice(0, Number(position)).split("\n").length;
  return ` (line ${line}): ${message}`;
}

function unreadable(name: string, problem: string, cause?: unknown): ArtificerError {
  return new ArtificerError("artifact/unreadable", `The artifact ${name} ${problem}.`, {
    details: { name },
    hint: "Mend the file, or save the artifact again.",
    cause,
  });
}
