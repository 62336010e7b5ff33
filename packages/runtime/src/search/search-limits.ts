/** Bounds on what search does by itself. */
export interface SearchLimits {
  /**
   * Documents up to which all vectors are held in memory and compared exactly, with every storage alike. Beyond, a storage that ranks
   * vectors itself (`capabilities.vectors`) is asked for the nearest. Default 20,000.
   */
  maxInMemory?: number;
}
