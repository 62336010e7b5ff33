import { buildCommand } from "@stricli/core";
import type { CliContext } from "../../context.js";
import { writeJson } from "../../output/write-json.js";
import { type BaseFlags, baseFlags } from "../../shared-flags.js";
import { withSession } from "../../with-session.js";

export const removeCommand = buildCommand<BaseFlags, [string], CliContext>({
  docs: {
    brief: "Remove a skill; its versions stay in the history",
    fullDescription: "  artificer skills rm count_words",
  },
  parameters: {
    flags: baseFlags,
    positional: { kind: "tuple", parameters: [{ brief: "The skill's name", parse: String, placeholder: "NAME" }] },
  },
  async func(flags, name) {
    await withSession(this.io, flags, async (session) => {
      // Not there is the caller's mistake, most likely in spelling: `getSkill` names the nearest.
      if (!(await session.deleteSkill(name))) await session.getSkill(name);
    });
    if (flags.json) return writeJson(this.io, { deleted: name });
    this.io.stdout.write(`Removed ${name}.\n`);
  },
});
