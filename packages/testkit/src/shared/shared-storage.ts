import type { Storage } from "@artificer/protocol";
import type { OwnService } from "../services/service.js";

/** A storage on a server that several processes share, and how to make trouble for it. */
export interface SharedStorageUnderTest {
  /** Starts a server that the suite may stop, crash and start again. */
  start(): Promise<OwnService>;
  /** The built module that opens the storage, as a file URL: other processes import it too. */
  module: string;
  /** The export of the module that opens it. */
  factory: string;
  /** What the factory is given, of JSON; the same data each time, whether by way of a proxy or not. */
  options(address: { host: string; port: number }): Record<string, unknown>;
  /** More options, by which a server that falls silent is noticed within seconds. */
  impatient: Record<string, unknown>;
}

/** What a program in another process is told, as its first argument in JSON. */
export interface ProgramTarget {
  module: string;
  factory: string;
  /** What the factory is given: JSON. */
  options: unknown;
}

export async function openTarget({ module, factory, options }: ProgramTarget): Promise<Storage> {
  const exports = (await import(module)) as Record<string, (options: unknown) => Promise<Storage>>;
  const open = exports[factory];
  if (open === undefined) throw new Error(`${module} has no export ${factory}`);
  return open(options);
}
