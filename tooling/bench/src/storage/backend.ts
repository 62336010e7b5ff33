import type { Storage } from "@artificer/protocol";

/** The driver alone, with the promises of ours: each record is written on its own, and is there when the call is over. */
export interface BareDriver {
  put(key: string, json: string): Promise<unknown>;
  get(key: string): Promise<unknown>;
  /** All of them, with values, in order. */
  list(): Promise<unknown>;
  /** Reads the text of each skill. */
  readSkills(): Promise<unknown>;
  /** Reads, as they are stored, the bytes from which a library that knows all its skills opens: what is known of each, of its file, and the vectors. */
  readLibrary(): Promise<unknown>;
}

/** A backend to measure, and the driver below it. */
export interface Backend {
  storage: Storage;
  /** Another opening of the same, which remembers nothing. */
  reopen(): Promise<Storage>;
  /** The same for filling it, with weaker promises where they cost much. */
  openQuickly(): Promise<Storage>;
  bare: BareDriver;
  close(): Promise<void>;
}

export interface BackendKind {
  name: string;
  driver: string;
  /** What `openQuickly` leaves out, if anything. */
  quickly?: string;
  /** Whether filling it with what ten thousand skills come to takes minutes. */
  isSlowToWrite?: boolean;
  /** @throws when what it needs is not on this machine. */
  open(): Promise<Backend>;
}
