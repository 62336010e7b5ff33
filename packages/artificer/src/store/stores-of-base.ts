import { artificerHome } from "@artificer/runtime";
import { readConfig } from "../config/read-config.js";
import { chosenStorage } from "../storage/configured-storage.js";
import type { OpenStorageOptions } from "../storage/open-storage.js";

/** A store by its URL, with what its references stand for. */
export interface StoreReference {
  url: string;
  options: OpenStorageOptions;
}

/** The stores that a base knows. */
export interface BaseStores {
  /** Its own folder. */
  folder: StoreReference;
  /** The one that its sessions work with; undefined when that is the folder. */
  configured: StoreReference | undefined;
  /** One that somebody names; secrets of the base's configuration may stand in it. */
  named(url: string, cwd: string): StoreReference;
}

/** @throws ArtificerError `config/…` */
export async function storesOfBase(
  base: string,
  { env = process.env }: { env?: Readonly<Record<string, string | undefined>> } = {},
): Promise<BaseStores> {
  const config = await readConfig({ base, home: artificerHome(env) });
  return {
    folder: { url: `file:${base}`, options: {} },
    configured: chosenStorage(config, base, { hostEnv: env }),
    named(url, cwd) {
      const chosen = chosenStorage(config, base, { url, hostEnv: env })!;
      return { url, options: { ...chosen.options, cwd } };
    },
  };
}
