import type { Storage } from "@artificer/protocol";

/** Records by the driver alone, with the promises of ours: each is written on its own, and is there when the call is over. */
export interface BareRecords {
  put(key: string, json: string): Promise<unknown>;
  get(key: string): Promise<unknown>;
  /** All of them, with values, in order. */
  list(): Promise<unknown>;
}

/** A backend to measure, and the driver below it. */
export interface Backend {
  storage: Storage;
  bare: BareRecords;
  close(): Promise<void>;
}

export interface BackendKind {
  name: string;
  driver: string;
  open(): Promise<Backend>;
}
