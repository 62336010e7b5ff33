/** How much the slow tests do: what fits into everyday runs, or with ARTIFICER_TEST_THOROUGH set all that was promised. */
export const thoroughness =
  (process.env.ARTIFICER_TEST_THOROUGH ?? "") === ""
    ? { isThorough: false, kills: 30, records: 10_000, blobMegabytes: 64 }
    : { isThorough: true, kills: 100, records: 100_000, blobMegabytes: 1024 };
