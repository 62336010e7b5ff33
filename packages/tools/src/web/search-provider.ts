/** One result of a search engine. */
export interface SearchHit {
  title: string;
  url: string;
  description: string;
}

/** A request to a search engine's API. */
export interface SearchRequest {
  url: URL;
  headers?: Record<string, string>;
  /** With it the request is a POST. */
  json?: unknown;
}

/** What a provider gets besides the query. */
export interface SearchContext {
  /** Results wanted at most. */
  limit: number;
  signal: AbortSignal;
  /**
   * Sends a request and gives the JSON that came back, under the toolkit's address policy and bounds.
   *
   * @throws ArtificerError `tool/http-status`, `tool/unavailable`, `tool/denied`, `tool/output-unparsable`.
   */
  send(request: SearchRequest): Promise<unknown>;
}

/** A search engine behind `web_search`. */
export interface SearchProvider {
  readonly name: string;
  /** Hosts of its own that may be reached whatever their address: an engine may run beside the host. */
  readonly grants?: readonly string[];
  search(query: string, context: SearchContext): Promise<SearchHit[]>;
}

/** A provider as a bare function. */
export type SearchFunction = (query: string, context: SearchContext) => Promise<SearchHit[]>;

/** A key, or where to get it when it is needed. */
export type ApiKey = string | (() => string | undefined | Promise<string | undefined>);
