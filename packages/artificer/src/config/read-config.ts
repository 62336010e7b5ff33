import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ArtificerError, toArtificerError } from "@artificer/protocol";
import { type Config, configSchema } from "./config-schema.js";
import { parseConfigLayer } from "./parse-config.js";

export interface ConfigFolders {
  base: string;
  /** The user's own. */
  home: string;
}

/** A configuration that lies in a store. */
export interface StoredConfig {
  text: string;
  /** What messages call it. */
  file: string;
}

/**
 * The configuration of a base: its own `config.yaml`, below it that of the store that it works with, below it the user's in `home`,
 * below all the defaults. Each is checked whole, so that a message names the one that is wrong.
 *
 * @throws ArtificerError `config/…`
 */
export async function readConfig(folders: ConfigFolders, stored?: StoredConfig): Promise<Config> {
  return readConfigNow(folders, stored);
}

/**
 * As `readConfig`, at once: two small files are read where nothing may come between.
 *
 * @throws ArtificerError `config/…`
 */
export function readConfigNow(folders: ConfigFolders, stored?: StoredConfig): Config {
  const user = readLayer(join(folders.home, "config.yaml"));
  const own = readLayer(join(folders.base, "config.yaml"));
  // Whoever reads a store's configuration has found the store already.
  const { storage: _, ...shared }: Record<string, unknown> =
    stored === undefined ? {} : parseConfigLayer(stored.text, stored.file);
  return configSchema.parse(merge(merge(user, shared), own));
}

function readLayer(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (thrown) {
    if (["ENOENT", "ENOTDIR"].includes((thrown as NodeJS.ErrnoException).code ?? "")) return {};
    throw new ArtificerError("config/unreadable", `${file} can't be read: ${toArtificerError(thrown).message}`, {
      details: { file },
      cause: thrown,
    });
  }
  return parseConfigLayer(text, file);
}

/** What `over` sets wins; sections are merged key by key, lists replaced. */
function merge(under: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = isSection(below) && isSection(value) ? merge(below, value) : value;
  }
  return merged;
}

function isSection(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
