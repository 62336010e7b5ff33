import { decodeValue, encodeValue, type JsonValue, type Value } from "@artificer/protocol";

/** How a document of ours begins, whoever formatted it since. */
const beginning = /^\s*\{\s*"artificer"\s*:\s*"value\/1"/;

/**
 * A codec value as one JSON document, `{"artificer": "value/1", "value": …, "parts": [base64, …]}`: the codec's JSON with the
 * bytes that would travel beside it.
 */
export function writeValueDocument(value: Value): string {
  const { json, parts } = encodeValue(value);
  const document = {
    artificer: "value/1",
    value: json,
    parts: parts.map((part) => Buffer.from(part).toString("base64")),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

export function isValueDocument(text: string): boolean {
  return beginning.test(text);
}

/** @throws SyntaxError when it is no JSON; ArtificerError `value/malformed` when it is no document of ours. */
export function readValueDocument(text: string): Value {
  const document = JSON.parse(text) as { value?: JsonValue; parts?: unknown };
  const parts = Array.isArray(document.parts) ? document.parts : [];
  return decodeValue(
    document.value,
    parts.map((part) => new Uint8Array(Buffer.from(String(part), "base64"))),
  );
}
