import { resolve } from "node:path";
import { ArtificerError } from "@artificer/protocol";
import { baseFolder, existingBaseFolder } from "./base-folder.js";
import type { CliIo } from "./context.js";

/** Where a session keeps things. One of them at most. */
export interface StorageFlags {
  storage?: string;
  redis?: string;
  postgres?: string;
}

const url = { kind: "parsed", parse: String, optional: true, placeholder: "URL" } as const;

/** Definitions of `StorageFlags`. */
export const storageFlags = {
  storage: { ...url, brief: "Storage: a folder, file:, postgres:, pglite:, redis: [default = config.yaml's]" },
  redis: { ...url, brief: "The same, for redis://… or rediss://…" },
  postgres: { ...url, brief: "The same, for postgres://…" },
} as const;

/**
 * The URL that the flags name, else `$ARTIFICER_STORAGE`, else undefined.
 *
 * @throws ArtificerError `usage/invalid-argument` for two of them, or a URL of another kind.
 */
export function storageUrl(io: CliIo, flags: StorageFlags): string | undefined {
  const given = (["storage", "redis", "postgres"] as const).filter((name) => flags[name] !== undefined);
  if (given.length > 1) {
    throw new ArtificerError(
      "usage/invalid-argument",
      `${given.map((name) => `--${name}`).join(" and ")} exclude each other.`,
    );
  }
  const [name] = given;
  if (name === undefined) return io.env.ARTIFICER_STORAGE || undefined;
  const value = flags[name]!;
  const wanted = name === "redis" ? /^(?:rediss?:|\$\{)/i : name === "postgres" ? /^(?:postgres(?:ql)?:|\$\{)/i : /./;
  if (wanted.test(value)) return isFolder(value) ? resolve(io.cwd, value) : value;
  throw new ArtificerError(
    "usage/invalid-argument",
    `--${name} takes the URL of a ${name === "redis" ? "Redis" : "PostgreSQL"} server.`,
    {
      hint: `Write it like ${name}://USER:PASSWORD@HOST/…, or use --storage for storages of any kind.`,
    },
  );
}

/** The base folder of a session: `--base` and so on, but a storage that is a folder is its own base where no other is named. */
export function sessionBase(
  io: CliIo,
  flags: StorageFlags & { base?: string },
  options: { create?: boolean } = {},
): string {
  const find = options.create ? baseFolder : existingBaseFolder;
  const storage = flags.base === undefined && !io.env.ARTIFICER_BASE ? storageUrl(io, flags) : undefined;
  if (storage === undefined) return find(io, flags.base);
  const folder = isFolder(storage) ? storage : /^file:(?!\/\/)(.+)$/i.exec(storage)?.[1];
  return find(io, folder);
}

function isFolder(value: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]+:|\$\{)/i.test(value);
}
