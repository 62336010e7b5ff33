import { homedir } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ArtificerError, nearestName } from "@artificer/protocol";
import { hidePasswords } from "./hide-passwords.js";

/** Which part of a server's storage is meant. */
export interface StoragePart {
  /** PostgreSQL: whose data. */
  tenant?: string;
  /** PostgreSQL: the schema of the tables. */
  schema?: string;
  /** Redis: what every key begins with. */
  prefix?: string;
}

/** A storage's URL taken apart. `location` is how it may be shown: without passwords, and with its part. */
export type StorageAddress = { location: string } & (
  | { kind: "file"; folder: string }
  | { kind: "memory" }
  | ({ kind: "pglite"; folder: string } & Omit<StoragePart, "prefix">)
  | ({ kind: "postgres"; url: string } & Omit<StoragePart, "prefix">)
  | { kind: "redis"; url: string; prefix?: string }
);

const schemes = ["file:DIR", "postgres://…", "pglite:DIR", "redis://…", "rediss://…", "memory:"];

/** What may be asked of a URL's parameters; others are the server's own. */
const partNames = { postgres: ["tenant", "schema"], pglite: ["tenant", "schema"], redis: ["prefix"] } as const;

/**
 * Reads `file:DIR` or a plain path, `postgres://…` or `postgresql://…`, `pglite:DIR`, `redis://…` or `rediss://…`, `memory:`. The part of
 * a server stands in the parameters (`?tenant=acme`, `?schema=…`, `?prefix=…`), or is given beside; what is in the URL goes first.
 *
 * @param options.cwd what relative folders are relative to.
 * @throws ArtificerError `usage/invalid-argument`, with passwords taken out.
 */
export function parseStorageAddress(text: string, options: StoragePart & { cwd?: string } = {}): StorageAddress {
  const url = text.trim();
  if (url === "") throw invalid("A storage's URL can't be empty.");
  const folderOf = (path: string) => resolve(options.cwd ?? process.cwd(), path.replace(/^~(?=$|[/\\])/, homedir()));
  // One letter is a drive of Windows, and no scheme.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined:
      return refuseParts({ kind: "file", folder: folderOf(url), location: `file:${folderOf(url)}` }, options);
    case "file": {
      const folder = url.startsWith("file://") ? pathOfFileUrl(url) : folderOf(url.slice("file:".length));
      return refuseParts({ kind: "file", folder, location: `file:${folder}` }, options);
    }
    case "memory":
      return refuseParts({ kind: "memory", location: "memory:" }, options);
    case "pglite": {
      const [path = "", parameters] = url.slice("pglite:".length).split("?");
      if (path === "")
        throw invalid("pglite: needs a folder.", "Write pglite:./data, or memory: for what need not be kept.");
      const part = takePart("pglite", new URLSearchParams(parameters), options);
      return { kind: "pglite", folder: folderOf(path), ...part, location: located(`pglite:${folderOf(path)}`, part) };
    }
    case "postgres":
    case "postgresql":
    case "redis":
    case "rediss": {
      const kind = scheme.startsWith("redis") ? "redis" : "postgres";
      if (!URL.canParse(url) || !/^[a-z]+:\/\//i.test(url))
        throw invalid(
          `${hidePasswords(url)} is no URL of a server.`,
          `Write it like ${scheme}://USER:PASSWORD@HOST:PORT/…, with % codes for what is special in it.`,
        );
      const parsed = new URL(url);
      const part = takePart(kind, parsed.searchParams, options);
      const bare = parsed.href.replace(/\?$/, "");
      return { kind, url: bare, ...part, location: located(hidePasswords(bare), part) };
    }
    default: {
      const known = schemes.map((each) => each.slice(0, each.indexOf(":")));
      const nearest = nearestName(scheme, known);
      throw invalid(
        `${hidePasswords(url)}: ${scheme}: is no kind of storage.`,
        `${nearest === undefined ? "" : `Did you mean ${nearest}:? `}Known: a folder, ${schemes.join(", ")}.`,
      );
    }
  }
}

function takePart(
  kind: keyof typeof partNames,
  parameters: URLSearchParams,
  options: StoragePart,
): Record<string, string> {
  const names: readonly string[] = partNames[kind];
  const part: Record<string, string> = {};
  for (const name of ["tenant", "schema", "prefix"] as const) {
    const inUrl = parameters.get(name) ?? undefined;
    const value = inUrl ?? options[name];
    if (value === undefined) continue;
    if (!names.includes(name)) {
      // An option that stands for several storages, as on a command line, is for those that know it.
      if (inUrl === undefined) continue;
      throw invalid(`${name} means nothing to a ${kind} storage.`, `It knows: ${names.join(", ")}.`);
    }
    part[name] = value;
    parameters.delete(name);
  }
  return part;
}

function refuseParts<T>(address: T, { tenant, schema, prefix }: StoragePart): T {
  const given = Object.entries({ tenant, schema, prefix }).find(([, value]) => value !== undefined);
  if (given === undefined) return address;
  throw invalid(`${given[0]} means nothing to a storage in files or in memory.`, "Name another folder instead.");
}

function located(location: string, part: Record<string, string>): string {
  const parameters = new URLSearchParams(part).toString();
  if (parameters === "") return location;
  return `${location}${location.includes("?") ? "&" : "?"}${parameters}`;
}

function pathOfFileUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw invalid(`${url} is no URL of a folder.`, "Write file:DIR, or file:///absolute/path.");
  }
}

function invalid(message: string, hint?: string): ArtificerError {
  return new ArtificerError("usage/invalid-argument", message, hint === undefined ? {} : { hint });
}
