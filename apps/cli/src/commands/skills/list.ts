import { buildCommand } from "@stricli/core";
import type { CliContext } from "../../context.js";
import { skillRows } from "../../output/skill-rows.js";
import { writeJson } from "../../output/write-json.js";
import { type BaseFlags, baseFlags } from "../../shared-flags.js";
import { withSession } from "../../with-session.js";

export const listCommand = buildCommand<BaseFlags, [], CliContext>({
  docs: { brief: "List the skills" },
  parameters: { flags: baseFlags },
  async func(flags) {
    const skills = await withSession(this.io, flags, (session) => session.listSkills());
    if (flags.json) return writeJson(this.io, { skills });
    if (skills.length === 0) this.io.stderr.write("No skills yet: keep one with `artificer skills add FILE`.\n");
    this.io.stdout.write(skillRows(skills, this.io.stdout.columns));
  },
});
