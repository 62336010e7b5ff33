import { ArtificerError } from "@artificer/protocol";
import type { Inspection } from "./inspect-skill.js";
import type { SkillEntry } from "./skill-entry.js";
import type { SkillFile } from "./skill-files.js";
import { requireSkillName } from "./skill-name.js";

/** The entry of a file that is no sound skill, with what is wrong. */
export function brokenEntry(file: SkillFile, hash: string, version: number, problem: ArtificerError): SkillEntry {
  return { ...entryOf(file, hash, version, { matter: {} }), problem: { ...problem.toJSON(), passing: false } };
}

/** What a catalog keeps of a file. */
export function entryOf(
  file: SkillFile,
  hash: string,
  version: number,
  { matter, analysis, problem, unavailable }: Inspection,
): SkillEntry {
  const entry = analysis?.entry;
  const wrong = problem ?? nameProblem(file, matter.name);
  const shown = wrong?.toJSON() ?? unavailable;
  return {
    format: 1,
    name: file.name,
    language: file.language,
    revision: file.info.revision,
    hash,
    version,
    description: describe({ matter, analysis }),
    tags: matter.tags ?? [],
    requiredEnvironmentVariables: matter.requiredEnvironmentVariables ?? [],
    deps: matter.deps ?? [],
    tools: [...new Set([...(matter.tools ?? []), ...(analysis?.tools ?? [])])],
    skills: analysis?.skills ?? [],
    parameters: entry?.parameters ?? [],
    returns: entry?.returns,
    doc: entry?.doc ?? "",
    updatedAt: file.info.updatedAt.toISOString(),
    problem: shown && { code: shown.code, message: shown.message, hint: shown.hint, passing: wrong === undefined },
  };
}

function nameProblem(file: SkillFile, said: string | undefined): ArtificerError | undefined {
  try {
    requireSkillName(file.name);
  } catch (error) {
    return error as ArtificerError;
  }
  if (said === undefined || said === file.name) return undefined;
  return new ArtificerError(
    "skill/invalid-front-matter",
    `The front matter says name: ${said}, but the file is named ${file.name}.`,
    {
      details: { field: "name", said, file: file.info.key },
      hint: "Rename the file, or remove the field.",
    },
  );
}

/** What a skill says it is for. */
export function describe({ matter, analysis }: Inspection): string {
  return (matter.description ?? firstParagraph(analysis?.entry?.doc)).trim();
}

function firstParagraph(doc: string | undefined): string {
  return (doc ?? "")
    .trim()
    .split(/\n\s*\n/)[0]!
    .replace(/\s+/g, " ");
}
