import { randomUUID } from "node:crypto";
import { ArtificerError, decodeValue, encodeValue, nearestNames, type Value } from "@artificer/protocol";
import { sharedName } from "./shared-name.js";
import type { SharedInfo, SharedValues } from "./shared-values.js";

interface Kept extends SharedInfo {
  json: string;
  parts: Uint8Array[];
}

export interface SharedValuesOptions {
  /** Bound on all of them together, encoded. */
  maxBytes: number;
  /** Told the names whenever they have changed. */
  onNames?: (names: string[]) => void;
}

/** What one value costs beside its own bytes, so that many small ones are bounded too. */
const overheadBytes = 128;

/** Values laid by at once: far more than cells can wait to be run. */
const maxStashed = 1_000;

/** Keeps values encoded: what is taken is a copy, and nobody can change another's. */
export function createSharedValues({ maxBytes, onNames }: SharedValuesOptions): SharedValues {
  const kept = new Map<string, Kept>();
  const stashed = new Map<string, Value>();
  const names = () => [...kept.keys()];

  function checkRoom(name: string, bytes: number): void {
    let others = 0;
    for (const [other, { bytes: size }] of kept) if (other !== name) others += size;
    if (others + bytes <= maxBytes) return;
    throw new ArtificerError(
      "shared/limit-reached",
      `${name} takes ${bytes} bytes; with the ${others} bytes shared already that is more than the ${maxBytes} allowed.`,
      {
        details: { name, bytes, sharedBytes: others, maxSharedBytes: maxBytes },
        hint: "Let go of others by unshare(name), save it by artifacts.save(name, value), or let the host raise limits.maxSharedBytes.",
      },
    );
  }

  return {
    share(given, value, { from }) {
      const name = sharedName(given);
      const { json, parts } = encodeValue(value);
      const text = JSON.stringify(json);
      const bytes = parts.reduce(
        (sum, part) => sum + part.byteLength,
        Buffer.byteLength(text) + name.length + overheadBytes,
      );
      checkRoom(name, bytes);
      const known = kept.delete(name);
      // Copies: a part of a frame would keep the whole frame alive.
      kept.set(name, { name, bytes, from, json: text, parts: parts.map((part) => part.slice()) });
      if (!known) onNames?.(names());
      return { name, bytes, from };
    },

    stash(value) {
      const key = `-${randomUUID()}`;
      stashed.set(key, value);
      // A cell that was stopped before it began never takes what was laid by for it.
      if (stashed.size > maxStashed) stashed.delete(stashed.keys().next().value!);
      return key;
    },

    take(name) {
      if (stashed.has(name)) {
        const value = stashed.get(name)!;
        stashed.delete(name);
        return value;
      }
      const found = kept.get(name);
      if (found === undefined) throw notFound(sharedName(name), names());
      return decodeValue(
        JSON.parse(found.json),
        found.parts.map((part) => part.slice()),
      );
    },

    remove(name) {
      const was = kept.delete(sharedName(name));
      if (was) onNames?.(names());
      return was;
    },

    list: () => Array.from(kept.values(), ({ name, bytes, from }) => ({ name, bytes, from })),
  };
}

function notFound(name: string, names: string[]): ArtificerError {
  const near = nearestNames(name, names);
  const known = names.length === 0 ? "Nothing is shared yet" : `Shared are: ${names.slice(0, 30).join(", ")}`;
  return new ArtificerError("shared/not-found", `Nothing is shared as ${JSON.stringify(name)}.`, {
    details: { name, near, known: names.slice(0, 100) },
    hint:
      near.length > 0
        ? `Did you mean ${near.join(" or ")}?`
        : `${known}; share(${JSON.stringify(name)}, value) in a cell of either language does it.`,
  });
}
