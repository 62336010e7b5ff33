import { ArtificerError, type Storage, toArtificerError } from "@artificer/protocol";
import { createMemoryStorage } from "@artificer/runtime";
import { openFileStorage } from "@artificer/storage-file";
import { expandReferences, type ReferenceLookup } from "./expand-references.js";
import { parseStorageAddress, type StorageAddress, type StoragePart } from "./storage-address.js";

export interface OpenStorageOptions extends StoragePart {
  /** Whether a database's missing tables are made and old ones brought up to date. Default true. */
  migrate?: boolean;
  /** What relative folders are relative to; default the working folder. */
  cwd?: string;
  /** What `${NAME}` in the URL stands for; default the environment's variables. */
  lookup?: ReferenceLookup;
}

/** A storage, and where it is. */
export interface OpenedStorage {
  storage: Storage;
  /** For people: without passwords. */
  location: string;
  address: StorageAddress;
}

/**
 * Opens a storage by its URL: `file:DIR` or a plain path, `postgres://…`, `pglite:DIR`, `redis://…`, `rediss://…`, `memory:`. Drivers of
 * servers are loaded when they are asked for, and need not be installed before.
 *
 * @throws ArtificerError `usage/invalid-argument`, `storage/driver-missing`, `storage/…`; no message holds the password.
 */
export async function openStorage(url: string, options: OpenStorageOptions = {}): Promise<Storage> {
  return (await openStorageAt(url, options)).storage;
}

/** The same, telling where. */
export async function openStorageAt(url: string, options: OpenStorageOptions = {}): Promise<OpenedStorage> {
  const address = await addressOf(url, options);
  try {
    return { storage: await openAddress(address, options.migrate ?? true), location: address.location, address };
  } catch (thrown) {
    throw withoutPassword(thrown, address);
  }
}

/** Where a URL leads, with its references put in. Opens nothing. */
export async function addressOf(url: string, options: OpenStorageOptions = {}): Promise<StorageAddress> {
  const { cwd, tenant, schema, prefix, lookup = (name) => process.env[name] } = options;
  const part = Object.fromEntries(
    Object.entries({ cwd, tenant, schema, prefix }).filter(([, value]) => value !== undefined),
  );
  return parseStorageAddress(await expandReferences(url, lookup), part);
}

async function openAddress(address: StorageAddress, migrate: boolean): Promise<Storage> {
  switch (address.kind) {
    case "file":
      return openFileStorage(address.folder);
    case "memory":
      return createMemoryStorage();
    case "postgres": {
      const { openPostgresStorage } = await driver(
        "@artificer/storage-postgres",
        () => import("@artificer/storage-postgres"),
      );
      const { url, tenant, schema } = address;
      return openPostgresStorage({ url, migrate, ...defined({ tenant, schema }) });
    }
    case "pglite": {
      const { openPgliteStorage } = await driver(
        "@artificer/storage-postgres",
        () => import("@artificer/storage-postgres/pglite"),
      );
      const { folder, tenant, schema } = address;
      return openPgliteStorage({ dataFolder: folder, migrate, ...defined({ tenant, schema }) });
    }
    case "redis": {
      const { openRedisStorage } = await driver("@artificer/storage-redis", () => import("@artificer/storage-redis"));
      const { url, prefix } = address;
      return openRedisStorage({ url, ...defined({ prefix }) });
    }
  }
}

/** Loads a package that is installed by those alone who need it. */
export async function driver<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const { code, message = "" } = cause as NodeJS.ErrnoException;
    if (code !== "ERR_MODULE_NOT_FOUND" || !message.includes(name)) throw cause;
    throw new ArtificerError(
      "storage/driver-missing",
      `This storage needs the package ${name}, which is not installed.`,
      {
        details: { package: name },
        hint: `Install it: npm install ${name}`,
        cause,
      },
    );
  }
}

/** A driver's own words may hold the URL that it was given. */
function withoutPassword(thrown: unknown, address: StorageAddress): unknown {
  const password = "url" in address ? new URL(address.url).password : "";
  const error = toArtificerError(thrown, "storage/unavailable");
  const forms = [password, decodeURIComponent(password)].filter((form) => form.length > 0);
  if (!forms.some((form) => `${error.message}${error.hint ?? ""}`.includes(form))) return thrown;
  const clean = (text: string) => forms.reduce((cleaned, form) => cleaned.replaceAll(form, "***"), text);
  return new ArtificerError(
    error.code,
    clean(error.message),
    error.hint === undefined ? {} : { hint: clean(error.hint) },
  );
}

function defined<T extends object>(options: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}
