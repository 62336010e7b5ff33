import { buildCommand } from "@stricli/core";
import type { CliContext } from "../../context.js";
import { skillRows } from "../../output/skill-rows.js";
import { writeJson } from "../../output/write-json.js";
import { type BaseFlags, baseFlags, limitFlag } from "../../shared-flags.js";
import { withSession } from "../../with-session.js";

export const searchCommand = buildCommand<BaseFlags & { limit: number }, [string], CliContext>({
  docs: {
    brief: "Find skills by what they do",
    fullDescription: `Finds skills by meaning, words and past use, best first. The query need not share a word with the skill.

  artificer skills search "how long is this document" --limit 3`,
  },
  parameters: {
    flags: { limit: limitFlag, ...baseFlags },
    positional: { kind: "tuple", parameters: [{ brief: "What is to be done", parse: String, placeholder: "QUERY" }] },
  },
  async func(flags, query) {
    const skills = await withSession(this.io, flags, (session) => session.searchSkills(query, { limit: flags.limit }));
    if (flags.json) return writeJson(this.io, { skills });
    if (skills.length === 0) this.io.stderr.write("No skill matches.\n");
    this.io.stdout.write(skillRows(skills, this.io.stdout.columns));
  },
});
