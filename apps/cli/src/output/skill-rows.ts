import type { SkillInfo } from "artificer";
import { firstLine, formatColumns } from "./format-columns.js";

/** Skills as lines: signature, version, description; one that can't be used says why. */
export function skillRows(skills: readonly SkillInfo[], width?: number): string {
  return formatColumns(
    skills.map((skill) => [
      skill.signature || skill.name,
      `v${skill.version}`,
      skill.problem === undefined ? firstLine(skill.description) : `unusable: ${firstLine(skill.problem.message)}`,
    ]),
    width,
  );
}
