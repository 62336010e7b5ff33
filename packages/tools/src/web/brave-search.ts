import { z } from "zod";
import { resolveKey } from "./api-key.js";
import { readHits } from "./read-hits.js";
import type { ApiKey, SearchProvider } from "./search-provider.js";

const answer = z.object({
  web: z
    .object({
      results: z.array(z.looseObject({ title: z.string(), url: z.string(), description: z.string().nullish() })),
    })
    .optional(),
});

export interface BraveOptions {
  apiKey: ApiKey;
  /** Another address of the same API. */
  url?: string;
  /** Country, freshness and the like, as its API names them. */
  parameters?: Readonly<Record<string, string>>;
}

/** Searches with the Brave Search API. */
export function createBraveSearch(options: BraveOptions): SearchProvider {
  const base = options.url ?? "https://api.search.brave.com/res/v1/web/search";
  return {
    name: "brave",
    ...(options.url === undefined ? {} : { grants: [new URL(base).host] }),
    async search(query, { limit, send }) {
      const url = new URL(base);
      const fields = { ...options.parameters, q: query, count: String(Math.min(limit, 20)) };
      for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
      const headers = { "x-subscription-token": await resolveKey(options.apiKey, "brave") };
      const { web } = readHits(answer, await send({ url, headers }), "brave");
      return (web?.results ?? []).map((each) => ({
        title: each.title,
        url: each.url,
        description: each.description ?? "",
      }));
    },
  };
}
