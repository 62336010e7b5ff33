import type { Config } from "../config/config-schema.js";
import { createSecretResolver } from "../tools/create-secret-resolver.js";
import type { OpenStorageOptions } from "./open-storage.js";

/** What a command or a program says about the storage, beside the configuration. */
export interface StorageChoice {
  /** The storage's URL or folder; wins over the configuration. */
  url?: string | undefined;
  hostEnv?: Readonly<Record<string, string | undefined>>;
}

/** The storage that a base works with: undefined for its own folder. */
export function chosenStorage(
  config: Config,
  base: string,
  { url, hostEnv = process.env }: StorageChoice = {},
): { url: string; options: OpenStorageOptions } | undefined {
  const secret = createSecretResolver(config.secrets, { folder: base, environment: hostEnv });
  const lookupFor = (address: string) => {
    const host = hostOf(address);
    // A secret that is bound elsewhere does not go into a store's address.
    const destination = { toolkit: "storage", ...(host === undefined ? {} : { host }) };
    return async (name: string) => (await secret(name, destination)) ?? hostEnv[name];
  };
  if (url !== undefined) return { url, options: { lookup: lookupFor(url) } };
  if (config.storage === undefined) return undefined;
  const { url: configured, ...part } = config.storage;
  return { url: configured, options: { ...defined(part), cwd: base, lookup: lookupFor(configured) } };
}

function hostOf(url: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#@]+)/i.exec(url)?.[1];
}

/** Whether the configuration's URL has a password in it, instead of a reference to one. */
export function holdsPassword({ storage }: Config): boolean {
  const userinfo = /^[a-z][a-z0-9+.-]*:\/\/(.*)@/is.exec(storage?.url ?? "")?.[1] ?? "";
  const password = userinfo.includes(":") ? userinfo.slice(userinfo.indexOf(":") + 1) : "";
  const parameter = /[?&](?:password|sslpassword)=([^&#]*)/i.exec(storage?.url ?? "")?.[1] ?? "";
  return `${password}${parameter}`.replace(/\$\{[^}]*\}/g, "") !== "";
}

function defined<T extends object>(options: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}
