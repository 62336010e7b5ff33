import { buildCommand } from "@stricli/core";
import type { CliContext } from "../../context.js";
import { writeJson } from "../../output/write-json.js";
import { type BaseFlags, baseFlags } from "../../shared-flags.js";
import { withSession } from "../../with-session.js";

export const showCommand = buildCommand<BaseFlags, [string], CliContext>({
  docs: { brief: "Show a skill: parameters and source", fullDescription: "  artificer skills show count_words" },
  parameters: {
    flags: baseFlags,
    positional: { kind: "tuple", parameters: [{ brief: "The skill's name", parse: String, placeholder: "NAME" }] },
  },
  async func(flags, name) {
    const skill = await withSession(this.io, flags, (session) => session.getSkill(name));
    if (flags.json) return writeJson(this.io, { skill });
    const tags = skill.tags.length > 0 ? `, tags: ${skill.tags.join(", ")}` : "";
    this.io.stdout.write(`${skill.signature}\n${skill.description.trim()}\n`);
    this.io.stdout.write(`version ${skill.version}, ${skill.language}, ${skill.lifecycle}${tags}\n\n`);
    this.io.stdout.write(skill.source.endsWith("\n") ? skill.source : `${skill.source}\n`);
  },
});
