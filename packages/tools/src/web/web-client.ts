import { ArtificerError } from "@artificer/protocol";
import { createCallGate } from "../cli/call-gate.js";
import { createAddressPolicy } from "../http/address-policy.js";
import type { HttpRequest } from "../http/build-request.js";
import { createGuardedAgent, type Resolver } from "../http/guarded-agent.js";
import { display, type HttpResponse, sendRequest } from "../http/http-client.js";
import { sendWithRetries } from "../http/retry.js";
import { cancelled } from "../remote/cancelled.js";

/** Bounds on what is fetched. */
export interface WebLimits {
  /** Time for one page or search, in milliseconds. 20,000 unless given. */
  timeoutMs: number;
  /** Largest page, unpacked. 3 MiB unless given. */
  maxPageBytes: number;
  /** Requests to one host at once. 2 unless given. */
  perHost: number;
  /** Requests at once in all. 8 unless given. */
  maxParallel: number;
  /** How long results are remembered, in milliseconds; 0 for not at all. 300,000 unless given. */
  cacheMs: number;
}

export const defaultWebLimits: WebLimits = {
  timeoutMs: 20_000,
  maxPageBytes: 3 * 1024 * 1024,
  perHost: 2,
  maxParallel: 8,
  cacheMs: 300_000,
};

/** Sends requests to public addresses, politely. */
export interface WebClient {
  /** @throws ArtificerError `tool/denied`, `tool/unavailable`, `tool/timed-out`, `tool/result-too-large`, `tool/cancelled`. */
  send(request: HttpRequest, options: { signal: AbortSignal; retry: boolean }): Promise<HttpResponse>;
  close(): Promise<void>;
}

export interface WebClientOptions {
  limits: WebLimits;
  /** Hosts, addresses and ranges that may be reached though they are no public ones. */
  allow: readonly string[];
  resolver?: Resolver;
}

/** A client under the same address policy as the HTTP toolkits: checked after DNS and at every redirect. */
export function createWebClient({ limits, allow, resolver }: WebClientOptions): WebClient {
  const agent = createGuardedAgent(createAddressPolicy(allow), resolver);
  const all = createCallGate(limits.maxParallel);
  const hosts = new Map<string, { gate: ReturnType<typeof createCallGate>; users: number }>();

  /** A gate lives as long as somebody is at it: hosts without number are seen in a long session. */
  const atHost = async <T>(host: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const entry = hosts.get(host) ?? { gate: createCallGate(limits.perHost), users: 0 };
    hosts.set(host, entry);
    entry.users++;
    try {
      return await entry.gate.pass(signal, () => all.pass(signal, work));
    } finally {
      if (--entry.users === 0) hosts.delete(host);
    }
  };

  return {
    send: (request, { signal, retry }) =>
      atHost(request.url.host, signal, async () => {
        const clock = AbortSignal.timeout(limits.timeoutMs);
        const both = AbortSignal.any([signal, clock]);
        const once = () =>
          sendRequest(agent, request, { maxBytes: limits.maxPageBytes, maxRedirects: 5, signal: both });
        try {
          return await sendWithRetries(once, { retries: retry ? 1 : 0, maxRetryAfterMs: 5000, signal: both });
        } catch (error) {
          if (signal.aborted) throw cancelled(signal, display(request.url));
          throw clock.aborted ? late(request.url, limits.timeoutMs) : mendable(error);
        }
      }),
    close: () => agent.destroy(),
  };
}

function late(url: URL, timeoutMs: number): ArtificerError {
  return new ArtificerError("tool/timed-out", `${display(url)} took longer than ${timeoutMs / 1000} s.`, {
    details: { url: display(url), timeoutMs },
  });
}

/** The guard's hint speaks of a definition file, which the web toolkit has none of. */
function mendable(error: unknown): unknown {
  if (!ArtificerError.is(error)) return error;
  const hint = ArtificerError.is(error, "tool/denied") && error.details.problem !== undefined;
  return new ArtificerError(error.code, error.message, {
    details: error.details,
    ...(hint ? { hint: "If it is meant, the host grants it with allow of the web toolkit." } : {}),
    cause: error,
  });
}
