import { setTimeout as delay } from "node:timers/promises";
import { ArtificerError } from "@artificer/protocol";
import { cancelled } from "../remote/cancelled.js";
import type { HttpResponse } from "./http-client.js";

/** How often, and for how long, a request is tried again. */
export interface RetryOptions {
  /** Tries after the first. */
  retries: number;
  maxRetryAfterMs: number;
  signal: AbortSignal;
}

const firstDelayMs = 200;
const maxDelayMs = 10_000;
/** Statuses that say "not now" rather than "no". */
const passing = new Set([408, 425, 429, 500, 502, 503, 504]);
/** By HTTP's own meaning, doing these twice does no more than doing them once. */
const repeatable = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** True for methods that may be sent again without harm. */
export function isRepeatable(method: string): boolean {
  return repeatable.has(method);
}

/**
 * Sends again while the answer is that of a server in passing trouble, with growing pauses, or those that it asks for.
 * The last answer is given back whatever it is; a wait longer than allowed is not begun.
 */
export async function sendWithRetries(
  send: () => Promise<HttpResponse>,
  { retries, maxRetryAfterMs, signal }: RetryOptions,
): Promise<HttpResponse> {
  for (let attempt = 0; ; attempt++) {
    let pauseMs = Math.min(firstDelayMs * 2 ** attempt, maxDelayMs) * (0.75 + Math.random() / 2);
    try {
      const response = await send();
      if (attempt >= retries || !passing.has(response.status)) return response;
      const askedMs = retryAfterMs(response.headers);
      if (askedMs !== undefined && askedMs > maxRetryAfterMs) return response;
      pauseMs = askedMs ?? pauseMs;
    } catch (error) {
      if (attempt >= retries || !ArtificerError.is(error, "tool/unavailable")) throw error;
    }
    await delay(pauseMs, undefined, { signal }).catch(() => {
      throw cancelled(signal, "The request");
    });
  }
}

/** How long the server asks to be left alone, in seconds or until a date. */
export function retryAfterMs(headers: Headers): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(text.trim())) return Number(text) * 1000;
  // Reading dates as leniently as JavaScript does, any word with a digit behind it would be one.
  const date = /^[A-Za-z]{3,9},? .*\d{2}:\d{2}:\d{2}/.test(text.trim()) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
