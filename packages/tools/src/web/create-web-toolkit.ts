import type { Toolkit } from "@artificer/protocol";
import { createToolkit } from "../functions/index.js";
import type { Resolver } from "../http/guarded-agent.js";
import { cancelled } from "../remote/cancelled.js";
import { createHtmlReader } from "./html-reader.js";
import type { SearchFunction, SearchProvider } from "./search-provider.js";
import { createWebClient, defaultWebLimits, type WebLimits } from "./web-client.js";
import { webExtractTool } from "./web-extract-tool.js";
import { searchUnavailable, webSearchTool } from "./web-search-tool.js";

export interface WebOptions {
  /** `web` unless given. */
  name?: string;
  /** The search engine; without one `web_search` is listed as unavailable. */
  search?: SearchProvider | SearchFunction;
  /** Hosts (`name`, `name:port`, `*.name`), addresses and ranges that may be read though they are no public ones. */
  allow?: readonly string[];
  limits?: Partial<WebLimits>;
  /** Resolves names instead of Node's `dns.lookup`. */
  resolver?: Resolver;
}

/** The web: `web_search` by a search engine, and `web_extract`, which reads pages as Markdown. Public addresses only, unless granted. */
export function createWebToolkit(options: WebOptions = {}): Toolkit {
  const name = options.name ?? "web";
  const limits = { ...defaultWebLimits, ...options.limits };
  const closing = new AbortController();
  const { search, allow = [], resolver } = options;
  const provider = typeof search === "function" ? { name: "search", search } : search;
  // An engine beside the host is granted to searches alone: pages there are not.
  const engine = createWebClient({ limits, allow: [...allow, ...(provider?.grants ?? [])], resolver });
  const pages = createWebClient({ limits, allow, resolver });
  const reader = createHtmlReader();
  const toolkit = createToolkit({
    name,
    description: "The web: search it, and read pages",
    tools: {
      web_search: webSearchTool(provider, engine, limits.cacheMs),
      web_extract: webExtractTool(pages, reader, limits.cacheMs),
    },
  });
  return {
    ...toolkit,
    tools: toolkit.tools.map((tool) =>
      tool.name === "web_search" && provider === undefined ? { ...tool, unavailable: searchUnavailable } : tool,
    ),
    async call(tool, args, call) {
      const signal = AbortSignal.any([call.signal, closing.signal]);
      if (signal.aborted) throw cancelled(signal, `${name}.${tool}`);
      try {
        return await toolkit.call(tool, args, { ...call, signal });
      } catch (error) {
        throw signal.aborted ? cancelled(signal, `${name}.${tool}`) : error;
      }
    },
    async close() {
      closing.abort();
      await Promise.all([engine.close(), pages.close(), reader.close()]);
    },
  };
}
