import { join } from "node:path";
import type { SessionProblem } from "@artificer/runtime";
import type { Config } from "../config/config-schema.js";
import { createSecretResolver, type SecretProvider } from "./create-secret-resolver.js";
import { gatherToolkits, type ToolLoad } from "./gather-toolkits.js";
import { loadMcpFile } from "./load-mcp-file.js";
import { loadToolFolder } from "./load-tool-folder.js";
import { openConfiguredToolkits } from "./open-configured-toolkits.js";

/** All tools that a base folder brings. */
export interface BaseTools extends ToolLoad {
  /** What is put up with, in the order it came; later ones go to `onWarning`. */
  warnings: SessionProblem[];
}

/**
 * Opens the toolkits that config.yaml switches on, those of the tools folder, and the servers of mcp.json.
 *
 * @param options.cache whether servers' descriptions are kept in the base
 */
export async function openBaseTools(
  { folder, config }: { folder: string; config: Config },
  options: {
    cwd?: string;
    cache: boolean;
    onWarning?: (warning: SessionProblem) => void;
    providers?: Readonly<Record<string, SecretProvider>>;
    onSecret?: (name: string, value: string) => void;
    /** Definitions that a store holds, laid out in a folder; the base's own of the same name go first. */
    stored?: { folder: string; location: string } | undefined;
  },
): Promise<BaseTools> {
  const warnings: SessionProblem[] = [];
  let opening = true;
  const resolveSecret = createSecretResolver(config.secrets, {
    folder,
    ...(options.providers === undefined ? {} : { providers: options.providers }),
    ...(options.onSecret === undefined ? {} : { onResolved: options.onSecret }),
  });
  const shared = {
    resolveSecret,
    ...(options.cache ? { cacheFolder: join(folder, ".state", "mcp") } : {}),
    onWarning: (warning: SessionProblem) => (opening ? warnings.push(warning) : options.onWarning?.(warning)),
  };
  const { stored } = options;
  const inFolder = { ...shared, ...(options.cwd === undefined ? {} : { cwd: options.cwd }) };
  const none: ToolLoad = { toolkits: [], problems: [] };
  const [configured, files, servers, storedFiles, storedServers] = await Promise.all([
    openConfiguredToolkits(config, { folder, resolveSecret }),
    loadToolFolder(join(folder, "tools"), inFolder),
    loadMcpFile(join(folder, "mcp.json"), shared),
    stored === undefined ? none : loadToolFolder(join(stored.folder, "tools"), inFolder),
    stored === undefined ? none : loadMcpFile(join(stored.folder, "mcp.json"), shared),
  ]);
  opening = false;
  const from = (source: string) => (toolkit: ToolLoad["toolkits"][number]) => ({
    source,
    result: { status: "fulfilled", value: toolkit } as const,
  });
  const all = gatherToolkits(
    [
      ...configured.map(from(join(folder, "config.yaml"))),
      ...files.toolkits.map(from(join(folder, "tools"))),
      ...servers.toolkits.map(from(join(folder, "mcp.json"))),
      ...storedFiles.toolkits.map(from(`tools/ of ${stored?.location}`)),
      ...storedServers.toolkits.map(from(`mcp.json of ${stored?.location}`)),
    ],
    [...files.problems, ...servers.problems, ...storedFiles.problems, ...storedServers.problems],
  );
  return { ...all, warnings };
}
