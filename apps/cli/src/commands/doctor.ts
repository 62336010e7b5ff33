import { errorCodes } from "@artificer/protocol";
import { buildCommand } from "@stricli/core";
import type { CliContext } from "../context.js";
import { writeJson } from "../output/write-json.js";
import { type BaseFlags, baseFlags } from "../shared-flags.js";
import { sessionBase, storageUrl } from "../storage-flags.js";

const marks = { ok: "ok  ", warn: "warn", fail: "FAIL" } as const;

export const doctorCommand = buildCommand<BaseFlags, [], CliContext>({
  docs: {
    brief: "Check what Artificer needs, and say how to mend it",
    fullDescription: `Looks at Node, Python, the executors, the base folder, its configuration and tools, the search model and the
storage. Changes nothing. Exit code 0 when all that is needed is there, 7 when something is missing.

  artificer doctor --base ./.artificer
  artificer doctor --storage 'redis://host:6379?prefix=acme'`,
  },
  parameters: { flags: baseFlags },
  async func(flags) {
    const { diagnose } = await import("artificer/doctor");
    const report = await diagnose({
      base: sessionBase(this.io, flags, { create: true }),
      storage: storageUrl(this.io, flags),
      signal: this.io.signal,
    });
    if (!report.usable) this.process.exitCode = errorCodes["executor/unavailable"].exit;
    if (flags.json) return writeJson(this.io, report);
    const width = Math.max(...report.checks.map(({ name }) => name.length));
    for (const { status, name, detail, hint } of report.checks) {
      this.io.stdout.write(`${marks[status]}  ${name.padEnd(width)}  ${detail}\n`);
      if (hint !== undefined) this.io.stdout.write(`${" ".repeat(width + 8)}hint: ${hint}\n`);
    }
    this.io.stdout.write(report.usable ? "\nAll that is needed is here.\n" : "\nSomething needed is missing.\n");
  },
});
