import { createHash } from "node:crypto";
import { ArtificerError, encodeValue } from "@artificer/protocol";

/** Results kept for a while, of one session alone: no owner ever sees another's. */
export interface ResultCache {
  /** The kept result, or that of `call`, which runs once for all who ask for the same meanwhile. */
  get(
    key: string,
    options: { ttlMs: number; signal: AbortSignal },
    call: () => Promise<unknown>,
  ): Promise<{ result: unknown; cached: boolean }>;
  /** Forgets what was kept of a toolkit: something of it may have changed. */
  forget(toolkit: string): void;
}

interface Kept {
  result: Promise<unknown>;
  /** On the monotonic clock; infinite while the call is under way. */
  until: number;
}

const maxEntries = 500;

export function createResultCache(): ResultCache {
  const kept = new Map<string, Kept>();
  return {
    async get(key, { ttlMs, signal }, call) {
      for (;;) {
        const known = kept.get(key);
        if (known === undefined || known.until <= performance.now()) break;
        try {
          return { result: await known.result, cached: true };
        } catch (thrown) {
          // Whoever made the call was stopped, or it failed: that is no answer for others, who try for themselves.
          if (kept.get(key) === known) kept.delete(key);
          if (signal.aborted) throw new ArtificerError("tool/cancelled", "The call was withdrawn.", { cause: thrown });
        }
      }
      const entry: Kept = { result: call(), until: Number.POSITIVE_INFINITY };
      kept.delete(key);
      kept.set(key, entry);
      while (kept.size > maxEntries) kept.delete(kept.keys().next().value!);
      try {
        const result = await entry.result;
        entry.until = performance.now() + ttlMs;
        return { result, cached: false };
      } catch (thrown) {
        if (kept.get(key) === entry) kept.delete(key);
        throw thrown;
      }
    },
    forget(toolkit) {
      for (const key of kept.keys()) if (key.startsWith(`${toolkit}\0`)) kept.delete(key);
    },
  };
}

/** Names a call by its tool and arguments, in whatever order these come. */
export function cacheKey(toolkit: string, tool: string, args: Readonly<Record<string, unknown>>): string {
  const { json, parts } = encodeValue(args);
  const hash = createHash("sha256").update(JSON.stringify(json, sorted));
  for (const part of parts) hash.update("\0").update(part);
  return `${toolkit}\0${tool}\0${hash.digest("hex")}`;
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
