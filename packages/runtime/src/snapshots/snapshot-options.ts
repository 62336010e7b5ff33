import { ArtificerError, type SnapshotFormat, snapshotFormat } from "@artificer/protocol";

/** How a session's variables are kept beyond its kernels. */
export interface SnapshotOptions {
  /** From the end of a cell to the save, in milliseconds; a cell that comes meanwhile puts it off. Default 300. */
  debounceMs: number;
  /** Largest variable saved, pickled; variables that share objects count together. Default 64 MiB. */
  maxVariableBytes: number;
  /** All variables together. Default 256 MiB. */
  maxTotalBytes: number;
  /** The longest that saving or restoring one variable may take, in milliseconds. Default 5,000. */
  maxVariableMs: number;
  /**
   * `pickle`: whatever Python can pickle. `data`: plain data alone (numbers, text, bytes, lists, tuples, sets, dicts, dates, numeric
   * arrays, tables), and nothing that was pickled is read back. TypeScript's variables are data in both. Default `pickle`.
   */
  format: SnapshotFormat;
}

export const defaultSnapshotOptions: SnapshotOptions = {
  debounceMs: 300,
  maxVariableBytes: 64 * 2 ** 20,
  maxTotalBytes: 256 * 2 ** 20,
  maxVariableMs: 5_000,
  format: "pickle",
};

/**
 * What `snapshot` of a session's options stands for; undefined when it is off.
 *
 * @throws ArtificerError `usage/invalid-argument` for a bound that is no whole number from 0, or a format that there isn't.
 */
export function snapshotOptions(option: boolean | Partial<SnapshotOptions> | undefined): SnapshotOptions | undefined {
  if (option === undefined || option === false) return undefined;
  const given = option === true ? {} : Object.entries(option).filter(([, value]) => value !== undefined);
  const options: SnapshotOptions = {
    ...defaultSnapshotOptions,
    ...(option === true ? {} : Object.fromEntries(given as [])),
  };
  const { format, ...bounds } = options;
  if (!snapshotFormat.safeParse(format).success) {
    throw new ArtificerError(
      "usage/invalid-argument",
      `snapshot.format is ${snapshotFormat.options.join(" or ")}, not ${JSON.stringify(format)}.`,
      { details: { name: "format", allowed: snapshotFormat.options } },
    );
  }
  for (const [name, value] of Object.entries(bounds)) {
    if (Number.isSafeInteger(value) && value >= 0) continue;
    throw new ArtificerError(
      "usage/invalid-argument",
      `snapshot.${name} is a whole number from 0, not ${String(value)}.`,
      {
        details: { name },
      },
    );
  }
  return options;
}
