import { buildCommand } from "@stricli/core";
import { type ArtifactForm, artifactValue, contentTypeOf } from "../../artifact-value.js";
import type { CliContext } from "../../context.js";
import { formatBytes } from "../../output/format-bytes.js";
import { writeJson } from "../../output/write-json.js";
import { readInputBytes } from "../../read-input.js";
import { type BaseFlags, baseFlags } from "../../shared-flags.js";
import { withSession } from "../../with-session.js";

interface PutFlags extends BaseFlags {
  as?: ArtifactForm;
  description?: string;
  ifAbsent?: boolean;
}

export const putCommand = buildCommand<PutFlags, [string, string], CliContext>({
  docs: {
    brief: "Keep a file as an artifact",
    fullDescription: `A .json file is kept as the value it holds, other UTF-8 as text, the rest as bytes.

  artificer artifacts put reports/may.json may.json --description "Sales of May"
  date | artificer artifacts put last-run - --as text`,
  },
  parameters: {
    flags: {
      as: { kind: "enum", values: ["text", "json", "bytes"], optional: true, brief: "What to keep it as" },
      description: { kind: "parsed", parse: String, optional: true, placeholder: "TEXT", brief: "What it is" },
      ifAbsent: { kind: "boolean", optional: true, withNegated: false, brief: "Refuse to replace one that is there" },
      ...baseFlags,
    },
    positional: {
      kind: "tuple",
      parameters: [
        { brief: "The artifact's name", parse: String, placeholder: "NAME" },
        { brief: "The file, or - for standard input", parse: String, placeholder: "FILE" },
      ],
    },
  },
  async func({ as, description, ifAbsent, ...flags }, name, file) {
    const value = artifactValue(file, await readInputBytes(this.io, file), as);
    const options = { description, ifAbsent, contentType: contentTypeOf(file === "-" ? name : file) };
    const artifact = await withSession(this.io, flags, (session) => session.saveArtifact(name, value, options), {
      create: true,
    });
    if (flags.json) return writeJson(this.io, { artifact });
    this.io.stdout.write(`Kept ${artifact.name} (${artifact.kind}, ${formatBytes(artifact.bytes)}).\n`);
  },
});
