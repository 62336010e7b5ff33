export type { Resolver } from "../http/guarded-agent.js";
export { type BraveOptions, createBraveSearch } from "./brave-search.js";
export { createWebToolkit, type WebOptions } from "./create-web-toolkit.js";
export type {
  ApiKey,
  SearchContext,
  SearchFunction,
  SearchHit,
  SearchProvider,
  SearchRequest,
} from "./search-provider.js";
export { createSearxngSearch, type SearxngOptions } from "./searxng-search.js";
export { createTavilySearch, type TavilyOptions } from "./tavily-search.js";
export type { WebLimits } from "./web-client.js";
