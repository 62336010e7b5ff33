import { ArtificerError } from "@artificer/protocol";
import { z } from "zod";
import { defineTool } from "../functions/index.js";
import { display, type HttpResponse } from "../http/http-client.js";
import { redactError } from "../remote/redact-value.js";
import { createRedactor } from "../remote/redactor.js";
import { createExpiringCache } from "./expiring-cache.js";
import type { SearchHit, SearchProvider, SearchRequest } from "./search-provider.js";
import type { WebClient } from "./web-client.js";

const output = z.object({
  success: z.literal(true),
  data: z.object({
    web: z.array(z.object({ title: z.string(), url: z.string(), description: z.string(), position: z.int() })),
  }),
});

/** `web_search`: what a search engine finds. */
export function webSearchTool(provider: SearchProvider | undefined, client: WebClient, cacheMs: number) {
  const cache = createExpiringCache<SearchHit[]>({ lifeMs: cacheMs, maxSize: 200, sizeOf: () => 1 });
  return defineTool({
    description: "Searches the web. Gives data.web: title, url, description and position of each result.",
    input: z.object({
      query: z.string().trim().min(1).max(2000),
      limit: z.int().positive().max(50).default(5).describe("Results at most"),
    }),
    output,
    effect: "egress",
    tags: ["web", "internet"],
    run: async ({ query, limit }, { signal }) => {
      if (provider === undefined) throw noProvider();
      const key = `${limit} ${query}`;
      let hits = cache.get(key);
      if (hits === undefined) {
        hits = clean(await provider.search(query, { limit, signal, send: sender(client, provider, signal) }), limit);
        cache.set(key, hits);
      }
      return { success: true, data: { web: hits.map((hit, at) => ({ ...hit, position: at + 1 })) } };
    },
  });
}

/** What is told where no search engine is configured. */
export const searchUnavailable = {
  reason: "No search engine is configured for web_search.",
  hint: "Set toolkits.web.search in config.yaml: provider searxng with its url, or brave or tavily with the secret that holds the key.",
};

function noProvider(): ArtificerError {
  return new ArtificerError("tool/unavailable", searchUnavailable.reason, { hint: searchUnavailable.hint });
}

function sender(client: WebClient, provider: SearchProvider, signal: AbortSignal) {
  return async ({ url, headers = {}, json }: SearchRequest): Promise<unknown> => {
    const redactor = createRedactor();
    for (const value of Object.values(headers)) redactor.add(value.replace(/^Bearer /, ""));
    const body = json === undefined ? undefined : { content: JSON.stringify(json), contentType: "application/json" };
    const request = {
      method: json === undefined ? "GET" : "POST",
      url,
      headers: {
        accept: "application/json",
        ...headers,
        ...(body === undefined ? {} : { "content-type": body.contentType }),
      },
      body,
    };
    try {
      return parseAnswer(await client.send(request, { signal, retry: true }), provider.name);
    } catch (error) {
      throw ArtificerError.is(error) ? redactError(error, redactor) : error;
    }
  };
}

function parseAnswer({ status, url, body }: HttpResponse, provider: string): unknown {
  const text = Buffer.from(body).toString("utf8");
  if (status >= 400) {
    throw new ArtificerError("tool/http-status", `${provider} answered ${status} at ${display(url)}.`, {
      details: { provider, status, body: text.slice(0, 500) },
      hint: status === 401 || status === 403 ? "Check the key." : "Try again later, or with another query.",
    });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ArtificerError("tool/output-unparsable", `${provider} answered with something that is no JSON.`, {
      details: { provider, body: text.slice(0, 200) },
      cause,
    });
  }
}

/** Each page once, plain text instead of marked-up excerpts, and nothing that is no web page. */
function clean(hits: readonly SearchHit[], limit: number): SearchHit[] {
  const seen = new Set<string>();
  const kept: SearchHit[] = [];
  for (const { title, url, description } of hits) {
    if (!/^https?:\/\//i.test(url) || seen.has(url)) continue;
    seen.add(url);
    kept.push({ title: plain(title), url, description: plain(description) });
  }
  return kept.slice(0, limit);
}

const maxTextChars = 4000;
const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

function plain(text: string): string {
  return (
    text
      .slice(0, maxTextChars)
      .replace(/<\/?[a-z][^>]*>/gi, "")
      .replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (match, decimal, hex, name) => {
        const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
        if (name !== undefined) return entities[name] ?? match;
        return code <= 0x10ffff ? String.fromCodePoint(code) : match;
      })
      .replace(/\s+/g, " ")
      .trim()
      // Cut in two, or given by number, half a character can be neither printed nor stored.
      .replace(/\p{Surrogate}/gu, "\ufffd")
  );
}
