import { z } from "zod";
import { resolveKey } from "./api-key.js";
import { readHits } from "./read-hits.js";
import type { ApiKey, SearchProvider } from "./search-provider.js";

const answer = z.object({
  results: z.array(z.looseObject({ title: z.string().nullish(), url: z.string(), content: z.string().nullish() })),
});

export interface TavilyOptions {
  apiKey: ApiKey;
  /** Another address of the same API. */
  url?: string;
  /** Depth, topic, domains and the like, as its API names them. */
  parameters?: Readonly<Record<string, unknown>>;
}

/** Searches with the Tavily API. */
export function createTavilySearch(options: TavilyOptions): SearchProvider {
  const base = options.url ?? "https://api.tavily.com/search";
  return {
    name: "tavily",
    ...(options.url === undefined ? {} : { grants: [new URL(base).host] }),
    async search(query, { limit, send }) {
      const headers = { authorization: `Bearer ${await resolveKey(options.apiKey, "tavily")}` };
      const json = { ...options.parameters, query, max_results: Math.min(limit, 20) };
      const { results } = readHits(answer, await send({ url: new URL(base), headers, json }), "tavily");
      return results.map((each) => ({ title: each.title ?? "", url: each.url, description: each.content ?? "" }));
    },
  };
}
