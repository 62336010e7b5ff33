import { ArtificerError } from "@artificer/protocol";
import type { OpenPeer, StoreReference } from "artificer/store";
import { baseFolder } from "./base-folder.js";
import type { CliIo } from "./context.js";

/** Opens the store that a command is about: the one that is named, else the one that the base works with, else its folder. */
export async function withStore<T>(
  io: CliIo,
  flags: { base?: string },
  url: string | undefined,
  use: (store: OpenPeer, reference: StoreReference) => Promise<T>,
): Promise<T> {
  const reference = await storeReference(io, flags, url);
  const { openPeer } = await import("artificer/store");
  const store = await openPeer(reference.url, { ...reference.options, create: false });
  try {
    return await use(store, reference);
  } finally {
    await store.close();
  }
}

/** Where that store is, unopened. */
export async function storeReference(
  io: CliIo,
  flags: { base?: string },
  url: string | undefined,
): Promise<StoreReference> {
  const { storesOfBase } = await import("artificer/store");
  const stores = await storesOfBase(baseFolder(io, flags.base), { env: io.env });
  if (url !== undefined) return stores.named(url, io.cwd);
  const fromEnvironment = io.env.ARTIFICER_STORAGE;
  return fromEnvironment ? stores.named(fromEnvironment, io.cwd) : (stores.configured ?? stores.folder);
}

export interface SidesOptions {
  base?: string;
  /** The store on this side; default the base folder. */
  local?: string | undefined;
  /** The other; default the one that the base works with. */
  remote?: string | undefined;
  /** Which of them are made when they are missing. */
  create: { local: boolean; remote: boolean };
}

/** Opens both stores of a transfer. @throws ArtificerError `usage/invalid-argument` when there is no other, or both are one. */
export async function withSides<T>(
  io: CliIo,
  options: SidesOptions,
  use: (local: OpenPeer, remote: OpenPeer) => Promise<T>,
): Promise<T> {
  const { openPeer, storesOfBase } = await import("artificer/store");
  const stores = await storesOfBase(baseFolder(io, options.base), { env: io.env });
  const here = options.local === undefined ? stores.folder : stores.named(options.local, io.cwd);
  const named = options.remote ?? (io.env.ARTIFICER_STORAGE || undefined);
  const there = named === undefined ? stores.configured : stores.named(named, io.cwd);
  if (there === undefined) {
    throw new ArtificerError(
      "usage/invalid-argument",
      "Which other store? None is named, and config.yaml names none.",
      {
        hint: "Add its URL, such as redis://host:6379, or set storage: in config.yaml.",
      },
    );
  }
  const local = await openPeer(here.url, { ...here.options, create: options.create.local });
  try {
    const remote = await openPeer(there.url, { ...there.options, create: options.create.remote });
    try {
      if (local.location === remote.location) {
        throw new ArtificerError("usage/invalid-argument", `Both sides are the same store: ${local.location}.`, {
          hint: "Name another one, or another side with --local.",
        });
      }
      return await use(local, remote);
    } finally {
      await remote.close();
    }
  } finally {
    await local.close();
  }
}
