import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ArtificerError, valueToJson } from "@artificer/protocol";
import { buildCommand } from "@stricli/core";
import type { CliContext } from "../../context.js";
import { formatBytes } from "../../output/format-bytes.js";
import { writeJson } from "../../output/write-json.js";
import { reasonOf } from "../../read-input.js";
import { type BaseFlags, baseFlags } from "../../shared-flags.js";
import { withSession } from "../../with-session.js";

export const getCommand = buildCommand<BaseFlags & { output?: string }, [string], CliContext>({
  docs: {
    brief: "Print an artifact, or write it to a file",
    fullDescription: `Text and bytes come out as they are, other values as JSON.

  artificer artifacts get reports/may.json
  artificer artifacts get plots/may.png -o may.png`,
  },
  parameters: {
    flags: {
      output: { kind: "parsed", parse: String, optional: true, placeholder: "FILE", brief: "Write to this file" },
      ...baseFlags,
    },
    aliases: { o: "output" },
    positional: { kind: "tuple", parameters: [{ brief: "The artifact's name", parse: String, placeholder: "NAME" }] },
  },
  async func(flags, name) {
    const { io } = this;
    const { info, value } = await withSession(io, flags, async (session) => ({
      info: await session.getArtifact(name),
      value: await session.loadArtifact(name),
    }));
    const plain = typeof value === "string" || value instanceof Uint8Array;
    const content = plain ? value : `${JSON.stringify(valueToJson(value), null, 2)}\n`;
    if (flags.output !== undefined) {
      await writeFile(resolve(io.cwd, flags.output), content).catch((error: unknown) => {
        throw new ArtificerError("usage/invalid-argument", `Can't write ${flags.output}: ${reasonOf(error)}.`);
      });
      if (flags.json) return writeJson(io, { artifact: info, file: flags.output });
      return void io.stdout.write(`Wrote ${flags.output} (${formatBytes(Buffer.byteLength(content))}).\n`);
    }
    if (flags.json) return writeJson(io, { artifact: info, value: valueToJson(value) });
    if (value instanceof Uint8Array && io.stdout.isTTY) {
      throw new ArtificerError(
        "usage/invalid-argument",
        `${name} is ${formatBytes(value.byteLength)} of bytes, not text.`,
        {
          hint: `Write it to a file: artificer artifacts get ${name} -o FILE`,
        },
      );
    }
    io.stdout.write(content);
    if (io.stdout.isTTY && typeof content === "string" && !content.endsWith("\n")) io.stdout.write("\n");
  },
});
