import { ArtificerError } from "@artificer/protocol";
import { type Agent, fetch, type Response } from "undici";
import { cancelled } from "../remote/cancelled.js";
import type { HttpRequest } from "./build-request.js";

/** What came back, whole. */
export interface HttpResponse {
  /** Where it came from, redirects followed. */
  url: URL;
  status: number;
  statusText: string;
  headers: Headers;
  body: Uint8Array;
}

/** What one sending is bounded by. */
export interface SendOptions {
  maxBytes: number;
  maxRedirects: number;
  /** Adds credentials to a request that goes where they belong. Not called again once a redirect has led elsewhere. */
  authorize?: (request: HttpRequest) => void;
  signal: AbortSignal;
}

/** What may follow a redirect to another origin: nothing that says who asks, or for what purpose. */
const harmless = new Set(["accept", "accept-language", "content-type", "user-agent"]);
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request and reads the answer, redirects followed: each hop is checked as the first was, and credentials stay behind
 * when the origin changes.
 *
 * @throws ArtificerError `tool/denied`, `tool/unavailable`, `tool/result-too-large`, `tool/cancelled`.
 */
export async function sendRequest(agent: Agent, request: HttpRequest, options: SendOptions): Promise<HttpResponse> {
  let current: HttpRequest = { ...request, headers: { ...request.headers }, url: new URL(request.url) };
  let authorize = options.authorize;
  authorize?.(current);
  for (let hop = 0; ; hop++) {
    const response = await fetchOnce(agent, current, options.signal);
    const location = redirects.has(response.status) ? response.headers.get("location") : null;
    if (location === null) return readResponse(response, current, options);
    await response.body?.cancel();
    if (hop >= options.maxRedirects) {
      throw new ArtificerError(
        "tool/denied",
        `${display(request.url)} redirects more than ${options.maxRedirects} times.`,
        {
          details: { url: display(request.url), maxRedirects: options.maxRedirects },
          hint: "Raise maxRedirects in the definition if that is right.",
        },
      );
    }
    const next = redirected(current, response.status, location);
    if (next.url.origin !== current.url.origin) authorize = undefined;
    current = next;
    authorize?.(current);
  }
}

async function fetchOnce(
  agent: Agent,
  { method, url, headers, body }: HttpRequest,
  signal: AbortSignal,
): Promise<Response> {
  checkScheme(url);
  try {
    return await fetch(url, {
      method,
      headers: { "user-agent": "artificer", ...headers },
      body: body?.content ?? null,
      redirect: "manual",
      dispatcher: agent,
      signal,
    });
  } catch (error) {
    throw sendingError(error, url, signal);
  }
}

function redirected(from: HttpRequest, status: number, location: string): HttpRequest {
  if (!URL.canParse(location, from.url.href)) {
    throw new ArtificerError("tool/denied", `${display(from.url)} redirects to what is no address.`, {
      details: { url: display(from.url) },
    });
  }
  const url = new URL(location, from.url);
  if (from.url.protocol === "https:" && url.protocol !== "https:") {
    throw new ArtificerError(
      "tool/denied",
      `${display(from.url)} redirects from https to ${url.protocol.slice(0, -1)}.`,
      {
        details: { url: display(from.url), location: display(url) },
      },
    );
  }
  const sameOrigin = url.origin === from.url.origin;
  const headers = Object.fromEntries(
    Object.entries(from.headers).filter(([name]) => sameOrigin || harmless.has(name.toLowerCase())),
  );
  const asGet = status === 303 ? from.method !== "HEAD" : status <= 302 && from.method === "POST";
  if (!asGet) return { method: from.method, url, headers, body: from.body };
  delete headers["content-type"];
  return { method: "GET", url, headers, body: undefined };
}

async function readResponse(response: Response, { url }: HttpRequest, options: SendOptions): Promise<HttpResponse> {
  const { status, statusText } = response;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      // Counted as unpacked: a small archive of a large nothing is caught too. Leaving the loop ends the connection.
      if (bytes > options.maxBytes) throw tooLarge(url, options.maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw sendingError(error, url, options.signal);
  }
  const headers = new Headers([...response.headers] as [string, string][]);
  return { url, status, statusText, headers, body: new Uint8Array(Buffer.concat(chunks)) };
}

function tooLarge(url: URL, maxBytes: number): ArtificerError {
  return new ArtificerError("tool/result-too-large", `The answer of ${display(url)} is over ${maxBytes} bytes.`, {
    details: { url: display(url), maxBytes },
    hint: "Ask for less at a time, or raise maxResponseBytes in the definition.",
  });
}

function checkScheme(url: URL): void {
  if ((url.protocol === "http:" || url.protocol === "https:") && url.username === "" && url.password === "") return;
  throw new ArtificerError("tool/denied", `Only http and https addresses without user and password are reached.`, {
    details: { scheme: url.protocol },
  });
}

function sendingError(error: unknown, url: URL, signal: AbortSignal): ArtificerError {
  if (ArtificerError.is(error)) return error;
  if (signal.aborted) return cancelled(signal, display(url));
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (ArtificerError.is(cause)) return cause;
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new ArtificerError("tool/unavailable", `${display(url)} can't be reached: ${reason}`, {
    details: { url: display(url), reason },
    hint: "Check that the address is right and the service runs.",
    cause: error,
  });
}

/** An address as messages show it: a query may hold a key. */
export function display(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
