import { type CellRunResult, encodeValue, type KernelStartParams } from "@artificer/protocol";
import { shortRepr } from "./variables.js";

type Limits = KernelStartParams["limits"];

/** The value's fields of a cell's result, already encoded. */
export function valueFields(value: unknown, limits: Limits): { fields: Partial<CellRunResult>; parts: Uint8Array[] } {
  const repr = shortRepr(value, limits.maxReprChars);
  const lacking = (code: string, message: string, path?: string) => ({
    fields: { hasValue: true, repr, valueProblem: { code, message, ...(path === undefined ? {} : { path }) } },
    parts: [],
  });
  try {
    const { json, parts } = encodeValue(value);
    const bytes = parts.reduce(
      (sum, part) => sum + part.byteLength,
      typeof json === "object" ? JSON.stringify(json).length : 0,
    );
    if (bytes > limits.maxValueBytes || (typeof json === "string" && json.length > limits.maxValueBytes)) {
      const size = typeof json === "string" ? json.length : bytes;
      return lacking("cell/value-too-large", `The value takes ${size} bytes; ${limits.maxValueBytes} are carried.`);
    }
    return { fields: { hasValue: true, repr, value: json }, parts };
  } catch (error) {
    const { code, message, details } = error as { code?: string; message: string; details?: { path?: string } };
    return lacking(code ?? "value/not-encodable", message, details?.path);
  }
}
