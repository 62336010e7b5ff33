import { type CellRunResult, encodeValue, type KernelStartParams } from "@artificer/protocol";
import { describeReference } from "./describe-reference.js";
import { shortRepr } from "./variables.js";

type Limits = KernelStartParams["limits"];

/** A value made ready to be sent, or why it can't be. */
export interface ReadyValue {
  json?: unknown;
  parts: Uint8Array[];
  /** Encoded size in bytes; undefined for a value that is too large to be encoded at all. */
  bytes: number | undefined;
  problem?: NonNullable<CellRunResult["valueProblem"]>;
}

/** Encodes a value unless it takes more than `maxValueBytes`. */
export function readyValue(value: unknown, { maxValueBytes }: Limits): ReadyValue {
  const tooLarge = (bytes?: number): ReadyValue => ({
    parts: [],
    bytes: undefined,
    problem: {
      code: "cell/value-too-large",
      message: `The value takes ${bytes ?? `more than ${maxValueBytes}`} bytes; ${maxValueBytes} are carried.`,
    },
  });
  if (leastBytes(value) > maxValueBytes) return tooLarge();
  try {
    const { json, parts } = encodeValue(value);
    const own = typeof json === "object" || typeof json === "string" ? Buffer.byteLength(JSON.stringify(json)) : 0;
    const bytes = parts.reduce((sum, part) => sum + part.byteLength, own);
    return bytes > maxValueBytes ? tooLarge(bytes) : { json, parts, bytes };
  } catch (error) {
    // Longer than any string may be.
    if (error instanceof RangeError && /string length/.test(error.message)) return tooLarge();
    const { code, message, details } = error as { code?: string; message: string; details?: { path?: string } };
    const path = details?.path;
    const problem = { code: code ?? "value/not-encodable", message, ...(path === undefined ? {} : { path }) };
    return { parts: [], bytes: 0, problem };
  }
}

/** The value's fields of a cell's result, already encoded. `keep` gives the name that a large one has in later cells. */
export function valueFields(
  value: unknown,
  limits: Limits,
  keep: () => string,
): { fields: Partial<CellRunResult>; parts: Uint8Array[] } {
  const { json, parts, bytes, problem } = readyValue(value, limits);
  const fields: Partial<CellRunResult> = {
    hasValue: true,
    ...(json === undefined ? {} : { value: json }),
    ...(problem === undefined ? {} : { valueProblem: problem }),
  };
  if (bytes !== undefined && bytes <= (limits.maxInlineBytes ?? limits.maxValueBytes)) {
    return { fields: { ...fields, repr: shortRepr(value, limits.maxReprChars) }, parts };
  }
  const reference = describeReference(value, keep(), bytes ?? leastBytes(value), limits.maxReprChars - 1);
  const repr = [reference.head, reference.tail].filter((text) => text !== "").join("…");
  return { fields: { ...fields, reference, repr }, parts };
}

/** What a value takes at the least, as far as a look at its outermost layers tells: what is far too large is not written out. */
function leastBytes(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (!Array.isArray(value) || depth > 1) return 1;
  let least = 2 * value.length;
  if (value.length <= 100_000) for (const item of value) least += leastBytes(item, depth + 1);
  return least;
}
