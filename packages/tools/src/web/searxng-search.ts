import { ArtificerError } from "@artificer/protocol";
import { z } from "zod";
import { readHits } from "./read-hits.js";
import type { SearchHit, SearchProvider } from "./search-provider.js";

const answer = z.object({
  results: z.array(z.looseObject({ title: z.string().nullish(), url: z.string(), content: z.string().nullish() })),
});
const maxPages = 3;

export interface SearxngOptions {
  /** Where the instance is; its JSON format has to be switched on (`search.formats` of its settings). */
  url: string;
  /** Engines, categories, language and the like, as its API names them. */
  parameters?: Readonly<Record<string, string>>;
}

/** Searches with a SearXNG instance, which may run on this machine. */
export function createSearxngSearch({ url, parameters = {} }: SearxngOptions): SearchProvider {
  const base = new URL(url.endsWith("/") ? url : `${url}/`);
  return {
    name: "searxng",
    grants: [base.host],
    async search(query, { limit, send }) {
      const hits: SearchHit[] = [];
      for (let page = 1; page <= maxPages && hits.length < limit; page++) {
        const request = new URL("search", base);
        const fields = { ...parameters, q: query, format: "json", pageno: String(page) };
        for (const [name, value] of Object.entries(fields)) request.searchParams.set(name, value);
        const { results } = readHits(answer, await send({ url: request }).catch(explain), "searxng");
        if (results.length === 0) break;
        hits.push(
          ...results.map((each) => ({ title: each.title ?? "", url: each.url, description: each.content ?? "" })),
        );
      }
      return hits;
    },
  };
}

function explain(error: unknown): never {
  if (!ArtificerError.is(error, "tool/http-status") || error.details.status !== 403) throw error;
  throw new ArtificerError(error.code, error.message, {
    details: error.details,
    hint: "Add json to search.formats in the settings of the SearXNG instance.",
    cause: error,
  });
}
