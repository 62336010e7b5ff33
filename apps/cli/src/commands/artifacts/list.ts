import { buildCommand } from "@stricli/core";
import type { CliContext } from "../../context.js";
import { formatBytes } from "../../output/format-bytes.js";
import { firstLine, formatColumns } from "../../output/format-columns.js";
import { writeJson } from "../../output/write-json.js";
import { type BaseFlags, baseFlags } from "../../shared-flags.js";
import { withSession } from "../../with-session.js";

export const listCommand = buildCommand<BaseFlags & { prefix?: string }, [], CliContext>({
  docs: { brief: "List the artifacts", fullDescription: "  artificer artifacts list --prefix reports/" },
  parameters: {
    flags: {
      prefix: { kind: "parsed", parse: String, optional: true, placeholder: "TEXT", brief: "Only names that begin so" },
      ...baseFlags,
    },
  },
  async func(flags) {
    const artifacts = await withSession(this.io, flags, (session) => session.listArtifacts({ prefix: flags.prefix }));
    if (flags.json) return writeJson(this.io, { artifacts });
    if (artifacts.length === 0) this.io.stderr.write("No artifacts.\n");
    const rows = artifacts.map(({ name, kind, bytes, updatedAt, description }) => [
      name,
      kind,
      formatBytes(bytes),
      updatedAt.toISOString().slice(0, 16).replace("T", " "),
      firstLine(description ?? ""),
    ]);
    this.io.stdout.write(formatColumns(rows, this.io.stdout.columns));
  },
});
