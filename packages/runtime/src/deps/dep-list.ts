/** A package that the session's code may import. */
export interface Dep {
  /** As written, e.g. `pandas>=2.0`. */
  spec: string;
  name: string;
  /** Whether this session has installed it or found it installed; one that came with the interpreter does not count. */
  installed: boolean;
}

/** The packages of a session. */
export interface DepList {
  list(): Promise<Dep[]>;
  /**
   * Adds one, in place of another of the same name, and installs it where the session has an installer. One that can't be
   * installed is not added.
   *
   * @throws ArtificerError `dep/invalid`, `dep/locked`, `dep/install-failed`
   */
  add(spec: string, options?: { signal?: AbortSignal }): Promise<Dep>;
  /**
   * Takes one from the list. What is installed can be imported until the next `sync`.
   *
   * @returns whether there was one. @throws ArtificerError `dep/locked`
   */
  remove(name: string): Promise<boolean>;
  /** Installs what is declared and missing. @throws ArtificerError `dep/install-failed` */
  sync(options?: { signal?: AbortSignal }): Promise<{ installed: string[] }>;
  /** The folders that a kernel which starts now imports from. Installs nothing. */
  paths(options?: { signal?: AbortSignal }): Promise<string[]>;
}
