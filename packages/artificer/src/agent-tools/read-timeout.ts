/** A model's own time limit for one call, within the host's; undefined when it gives none. */
export function readTimeout(
  given: unknown,
  { timeoutMs, maxTimeoutMs }: { timeoutMs: number; maxTimeoutMs: number },
): { timeoutMs: number | undefined } | { problem: string } {
  if (given === undefined || given === null) return { timeoutMs: undefined };
  const range = `more than 0 and at most ${maxTimeoutMs / 1000}; without it the limit is ${timeoutMs / 1000}`;
  if (typeof given !== "number" || !Number.isFinite(given))
    return { problem: `'timeout_seconds' must be a number, not ${JSON.stringify(given)}: ${range}.` };
  if (given <= 0 || given * 1000 > maxTimeoutMs)
    return { problem: `'timeout_seconds' is ${given}, but must be ${range}. Split longer work into several runs.` };
  return { timeoutMs: Math.max(1, Math.round(given * 1000)) };
}
