import type { JsonValue } from "../json.js";
import type { Value } from "./value.js";

/**
 * A value as JSON for people and programs that read JSON: plain values as they are, the rest in the readable forms
 * `{"$bytes": base64}`, `{"$int": digits}`, `{"$float": name}`, `{"$date": iso}`, `{"$set": […]}`, `{"$map": [[k, v], …]}`.
 */
export function valueToJson(value: Value | undefined): JsonValue {
  if (value === undefined || value === null) return null;
  if (typeof value === "bigint") return { $int: value.toString() };
  if (typeof value === "number") return Number.isFinite(value) ? value : { $float: String(value) };
  if (typeof value !== "object") return value;
  if (value instanceof Uint8Array) return { $bytes: toBase64(value) };
  if (value instanceof Date) return { $date: value.toISOString() };
  if (value instanceof Set) return { $set: Array.from(value as Set<Value>, valueToJson) };
  if (value instanceof Map) {
    return { $map: Array.from(value as Map<Value, Value>, ([key, item]) => [valueToJson(key), valueToJson(item)]) };
  }
  if (Array.isArray(value)) return Array.from(value as Value[], valueToJson);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, valueToJson(item as Value)]));
}

/** Base64 without Node's Buffer: the protocol runs in browsers too. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(binary);
}
