/** How much the slow tests do: what fits into everyday runs, or with ARTIFICER_TEST_THOROUGH set all that was promised. */
export const thoroughness =
  (process.env.ARTIFICER_TEST_THOROUGH ?? "") === ""
    ? { isThorough: false, kills: 30, slowKills: 3, records: 10_000, slowRecords: 2_000, blobMegabytes: 64 }
    : {
        isThorough: true,
        kills: 100,
        /** Of what takes seconds to open. */
        slowKills: 100,
        records: 100_000,
        /** Of what writes hundreds in a second. */
        slowRecords: 100_000,
        blobMegabytes: 1024,
      };
