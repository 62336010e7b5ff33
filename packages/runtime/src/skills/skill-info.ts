import type { SkillEntry } from "./skill-entry.js";
import type { SkillInfo, SkillLifecycle } from "./skill-library.js";
import { skillSignature } from "./skill-signature.js";

/** A catalog entry as listings show it. */
export function skillInfo(entry: SkillEntry, lifecycle: SkillLifecycle): SkillInfo {
  const { name, description, language, version, tags, parameters, returns, hash, tools, skills, deps, problem } = entry;
  return {
    name,
    description,
    language,
    version,
    tags,
    parameters,
    ...(returns === undefined ? {} : { returns }),
    lifecycle,
    signature: skillSignature(name, parameters, returns),
    hash,
    updatedAt: new Date(entry.updatedAt),
    tools,
    skills,
    deps,
    requiredEnvironmentVariables: entry.requiredEnvironmentVariables,
    ...(problem === undefined
      ? {}
      : {
          problem: {
            code: problem.code,
            message: problem.message,
            ...(problem.hint === undefined ? {} : { hint: problem.hint }),
          },
        }),
  };
}
