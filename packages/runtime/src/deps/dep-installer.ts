/** Puts packages where a session's kernels import from. A set of specs is one installation; a changed set is another. */
export interface DepInstaller {
  /** The folders to import from when exactly these are installed already; undefined when they are not. Installs nothing. */
  find(specs: readonly string[], options?: { signal?: AbortSignal }): Promise<string[] | undefined>;
  /**
   * Installs what is missing, all of it or nothing.
   *
   * @returns the folders to import from, and the specs that were not there before.
   * @throws ArtificerError `dep/install-failed`
   */
  install(
    specs: readonly string[],
    options?: { signal?: AbortSignal },
  ): Promise<{ paths: string[]; installed: string[] }>;
}
