import { resolve } from "node:path";
import type { Toolkit } from "@artificer/protocol";
import type { SearchProvider } from "@artificer/tools/web";
import type { Config } from "../config/config-schema.js";
import type { SecretResolver } from "./create-secret-resolver.js";

/** The toolkits that config.yaml switches on. */
export async function openConfiguredToolkits(
  { toolkits: { workspace, web } }: Config,
  { folder, resolveSecret }: { folder: string; resolveSecret: SecretResolver },
): Promise<Toolkit[]> {
  const opened: Toolkit[] = [];
  if (workspace !== undefined) {
    const { createWorkspaceToolkit } = await import("@artificer/tools/workspace");
    opened.push(
      createWorkspaceToolkit({
        root: resolve(folder, workspace.root),
        readOnly: workspace.read_only,
        terminal: workspace.terminal && { env: workspace.env, passEnv: workspace.pass_env },
        ...(workspace.timeout === undefined ? {} : { limits: { commandTimeoutMs: workspace.timeout * 1000 } }),
      }),
    );
  }
  if (web !== undefined) {
    const { createWebToolkit } = await import("@artificer/tools/web");
    const search = web.search === undefined ? undefined : await openSearch(web.search, resolveSecret);
    opened.push(createWebToolkit({ allow: web.allow, ...(search === undefined ? {} : { search }) }));
  }
  return opened;
}

const apiHosts = { brave: "api.search.brave.com", tavily: "api.tavily.com" } as const;

type Search = NonNullable<NonNullable<Config["toolkits"]["web"]>["search"]>;

async function openSearch(search: Search, resolveSecret: SecretResolver): Promise<SearchProvider> {
  const { createBraveSearch, createSearxngSearch, createTavilySearch } = await import("@artificer/tools/web");
  if (search.provider === "searxng") return createSearxngSearch({ url: search.url });
  const host = search.url === undefined ? apiHosts[search.provider] : new URL(search.url).host;
  const options = {
    apiKey: () => resolveSecret(search.secret, { toolkit: "web", host }),
    ...(search.url === undefined ? {} : { url: search.url }),
  };
  return search.provider === "brave" ? createBraveSearch(options) : createTavilySearch(options);
}
