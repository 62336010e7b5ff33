/** A package that the session's code may import. */
export interface Dep {
  /** As written, e.g. `pandas>=2.0`. */
  spec: string;
  name: string;
}

/** The packages of a session. */
export interface DepList {
  list(): Promise<Dep[]>;
  /** @throws ArtificerError `dep/invalid`, `dep/locked` */
  add(spec: string): Promise<Dep>;
  /** @returns whether there was one. */
  remove(name: string): Promise<boolean>;
  /** Installs what is missing. @throws ArtificerError `dep/install-failed`, `dep/locked` */
  sync(options?: { signal?: AbortSignal }): Promise<{ installed: string[] }>;
}
