import { errorCodes } from "@artificer/protocol";
import { buildCommand } from "@stricli/core";
import type { CliContext } from "../../context.js";
import { formatBytes } from "../../output/format-bytes.js";
import { createProgressLine } from "../../output/progress-line.js";
import { writeJson } from "../../output/write-json.js";
import { type StoreFlags, storeFlags } from "../../store-flags.js";
import { withStore } from "../../store-sides.js";

export const verifyCommand = buildCommand<StoreFlags, [string?], CliContext>({
  docs: {
    brief: "Read everything in a store, and check it",
    fullDescription: `Reads every record and every blob to its end, checks sizes and the hashes that are known, and whether skills, tools,
artifacts and settings can be read. Exit code 8 when something is wrong.

  artificer store verify
  artificer store verify postgres://host/db --json`,
  },
  parameters: {
    flags: storeFlags,
    positional: {
      kind: "tuple",
      parameters: [{ brief: "The store", parse: String, placeholder: "URL", optional: true }],
    },
  },
  async func(flags, url) {
    const { io } = this;
    const { checkStoredText, verifyStore } = await import("artificer/store");
    const progress = createProgressLine(io, !flags.json);
    const { location, result } = await withStore(io, flags, url, async ({ storage, location }) => ({
      location,
      result: await verifyStore(storage, {
        checkText: checkStoredText,
        signal: io.signal,
        onProgress: (state) => progress.show(state),
      }),
    })).finally(() => progress.end());
    const { blobs, records, bytes, faults } = result;
    if (faults.length > 0) this.process.exitCode = errorCodes["store/damaged"].exit;
    if (flags.json) return writeJson(io, { store: location, ...result });
    for (const { key, error } of faults) {
      io.stdout.write(`${key}: ${error.message}\n`);
      if (error.hint !== undefined) io.stdout.write(`  hint: ${error.hint}\n`);
    }
    const what = `${blobs} blobs (${formatBytes(bytes)}) and ${records} records of ${location}`;
    io.stdout.write(
      faults.length === 0 ? `${what} are fine.\n` : `${faults.length} of ${what} have something wrong.\n`,
    );
  },
});
