import { basename, extname } from "node:path";
import { ArtificerError } from "@artificer/protocol";
import { buildCommand } from "@stricli/core";
import { languageOf } from "../../cell-sources.js";
import type { CliContext } from "../../context.js";
import { writeJson } from "../../output/write-json.js";
import { readInput } from "../../read-input.js";
import { type BaseFlags, baseFlags } from "../../shared-flags.js";
import { withSession } from "../../with-session.js";

interface AddFlags extends BaseFlags {
  name?: string;
  description?: string;
  tag?: readonly string[];
  replace?: boolean;
}

export const addCommand = buildCommand<AddFlags, [string], CliContext>({
  docs: {
    brief: "Keep a file that defines run() as a skill",
    fullDescription: `Checks the file and keeps it. Its name, description and tags come from the flags, else from the front matter, else
from the file's name and the docstring of run(). A skill that is there is replaced only with --replace; its
earlier versions stay.

  artificer skills add count_words.py
  artificer skills add draft.py --name count_words --description "Count the words of a text file" --replace`,
  },
  parameters: {
    flags: {
      name: { kind: "parsed", parse: String, optional: true, placeholder: "NAME", brief: "Name of the skill" },
      description: { kind: "parsed", parse: String, optional: true, placeholder: "TEXT", brief: "What it does" },
      tag: { kind: "parsed", parse: String, optional: true, variadic: true, placeholder: "TAG", brief: "A tag" },
      replace: {
        kind: "boolean",
        optional: true,
        withNegated: false,
        brief: "Make a new version of one that is there",
      },
      ...baseFlags,
    },
    positional: { kind: "tuple", parameters: [{ brief: "The source, or -", parse: String, placeholder: "FILE" }] },
  },
  async func({ name, description, tag, replace, ...flags }, file) {
    if (file === "-" && name === undefined) {
      throw new ArtificerError("usage/invalid-argument", "A skill from standard input needs a name.", {
        hint: "Add --name NAME.",
      });
    }
    const source = await readInput(this.io, file);
    const draft = {
      name: name ?? basename(file, extname(file)),
      source,
      language: file === "-" ? undefined : languageOf(file),
      description,
      tags: tag === undefined || tag.length === 0 ? undefined : [...tag],
    };
    const skill = await withSession(this.io, flags, (session) => session.createSkill(draft, { replace }), {
      create: true,
    });
    if (flags.json) return writeJson(this.io, { skill });
    this.io.stdout.write(`Kept ${skill.signature} as version ${skill.version}.\n`);
  },
});
