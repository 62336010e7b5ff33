import {
  type Display,
  type JsonObject,
  type JsonValue,
  type OutcomeData,
  toBase64,
  valueToJson,
} from "@artificer/protocol";

/** An outcome as plain JSON, its status and value first. Bytes of displays become base64. */
export function outcomeToJson(outcome: OutcomeData): JsonObject {
  const { status, value, displays, startedAt, ...rest } = outcome;
  return {
    status,
    value: valueToJson(value),
    ...(dropUndefined(rest) as JsonObject),
    displays: displays.map(displayToJson),
    startedAt: startedAt.toISOString(),
  };
}

function displayToJson({ data, metadata, id }: Display): JsonObject {
  const entries = Object.entries(data).map(([mime, part]) => [mime, typeof part === "string" ? part : toBase64(part)]);
  return { data: Object.fromEntries(entries), metadata: valueToJson(metadata), ...(id === undefined ? {} : { id }) };
}

function dropUndefined(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
