import { ArtificerError, createReference, type Reference, type Value } from "@artificer/protocol";
import type { ArtifactStore } from "../artifacts/artifact-store.js";
import { keptMark } from "../artifacts/kept-outputs.js";
import type { SessionLimits } from "../session/limits.js";

const endChars = 300;

export interface LimitResultContext {
  limits: Pick<SessionLimits, "maxResultBytes" | "largeResults">;
  artifacts: ArtifactStore;
  /** Where results of this cell are kept: `outputs/<session>/cell-3-result`. */
  name: string;
}

/**
 * What a cell gets in place of a tool's result that is too large for it: a reference to the artifact that keeps it, where that is on.
 *
 * @throws ArtificerError `tool/result-too-large`
 */
export async function limitResult(
  result: { tool: string; value: unknown; bytes: number },
  { limits, artifacts, name }: LimitResultContext,
): Promise<Reference> {
  const { tool, value, bytes } = result;
  if (limits.largeResults === "refuse") {
    throw new ArtificerError(
      "tool/result-too-large",
      `The result of ${tool} takes ${bytes} bytes, more than the ${limits.maxResultBytes} allowed.`,
      {
        details: { tool, bytes, maxResultBytes: limits.maxResultBytes },
        hint: "Ask for less (a limit, a page, a filter), or let the host raise limits.maxResultBytes or set limits.largeResults to keep.",
      },
    );
  }
  await artifacts.save(name, value as Value, { description: `result of ${tool}`, metadata: keptMark });
  const text = typeof value === "string" ? value : describe(value);
  return createReference({
    id: name,
    type: kindOf(value),
    ...(hasLength(value) ? { shape: [value.length] } : {}),
    bytes,
    head: text.slice(0, endChars),
    tail: text.length > endChars ? text.slice(-endChars) : "",
    artifact: name,
  });
}

function hasLength(value: unknown): value is { length: number } {
  return typeof value === "string" || Array.isArray(value) || value instanceof Uint8Array;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  if (value instanceof Uint8Array) return "bytes";
  if (typeof value === "string") return "text";
  return typeof value;
}

/** A few items are enough: writing all of it out would cost what the limit saves. */
function describe(value: unknown): string {
  if (value instanceof Uint8Array) return `${value.byteLength} bytes`;
  if (Array.isArray(value))
    return value
      .slice(0, 5)
      .map((item) => describeItem(item))
      .join(", ");
  return describeItem(value);
}

function describeItem(item: unknown): string {
  if (typeof item !== "object" || item === null) return String(item).slice(0, endChars);
  return `{${Object.keys(item).slice(0, 20).join(", ")}}`;
}
