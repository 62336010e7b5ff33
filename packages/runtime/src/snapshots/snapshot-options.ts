import { ArtificerError } from "@artificer/protocol";

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
}

export const defaultSnapshotOptions: SnapshotOptions = {
  debounceMs: 300,
  maxVariableBytes: 64 * 2 ** 20,
  maxTotalBytes: 256 * 2 ** 20,
  maxVariableMs: 5_000,
};

/**
 * What `snapshot` of a session's options stands for; undefined when it is off.
 *
 * @throws ArtificerError `usage/invalid-argument` for a bound that is no whole number from 0.
 */
export function snapshotOptions(option: boolean | Partial<SnapshotOptions> | undefined): SnapshotOptions | undefined {
  if (option === undefined || option === false) return undefined;
  const given = option === true ? {} : Object.entries(option).filter(([, value]) => value !== undefined);
  const options: SnapshotOptions = {
    ...defaultSnapshotOptions,
    ...(option === true ? {} : Object.fromEntries(given as [])),
  };
  for (const [name, value] of Object.entries(options)) {
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
