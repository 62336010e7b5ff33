import { ArtificerError, errorFromJson, type Language } from "@artificer/protocol";
import { describe } from "./entry-of.js";
import { findSecret } from "./find-secret.js";
import { type FrontMatter, readFrontMatter, renderFrontMatter } from "./front-matter.js";
import { type AnalyzeSource, type Inspection, inspectSkill } from "./inspect-skill.js";
import type { SkillCatalog } from "./skill-catalog.js";
import { skillMeaning } from "./skill-document.js";
import type { SkillEntry } from "./skill-entry.js";
import type { SkillFile, SkillFiles } from "./skill-files.js";
import type { SkillDraft } from "./skill-library.js";
import { requireSkillName } from "./skill-name.js";
import { splitFrontMatter } from "./split-front-matter.js";

interface Shelf {
  files: SkillFiles;
  catalog: SkillCatalog;
  analyze: AnalyzeSource;
  maxBytes: number;
  /** Runs with what the skill means before others can see it. */
  prepare(meaning: string): Promise<void>;
}

/**
 * Validates a draft and saves it. A version number is claimed first, by writing that version where none is; then the file is
 * replaced by compare-and-set, unless a later version is there already. So writers at the same time lose nothing: each has its
 * version, and the latest one is current.
 */
export async function saveSkill(
  shelf: Shelf,
  draft: SkillDraft,
  { replace = false, ifVersion }: { replace?: boolean; ifVersion?: number } = {},
): Promise<SkillEntry> {
  const { files, catalog, analyze } = shelf;
  requireSkillName(draft.name);
  const { matter, body, program, language } = merged(draft);
  requireFit(draft, shelf.maxBytes);
  requireNoSecret(draft.source);
  const inspection = await requireSound(language, program, analyze);

  const current = await catalog.refreshOne(draft.name);
  if (ifVersion !== undefined && current?.version !== ifVersion)
    throw conflict(draft.name, ifVersion, current?.version);
  if (current !== undefined && !replace && ifVersion === undefined) throw exists(current);

  const { version, text } = await claimVersion(
    shelf,
    draft.name,
    language,
    (number) => `${renderFrontMatter({ ...matter, name: draft.name, version: number }, language)}\n${body}`,
  );
  const merge: Inspection = { ...inspection, matter: { ...matter, name: draft.name, version } };
  await shelf.prepare(skillMeaning({ name: draft.name, description: describe(merge) }));
  for (;;) {
    const found = await files.find(draft.name);
    const same = found.find((file) => file.language === language);
    if (found.length > 0) {
      const now = await catalog.refreshOne(draft.name);
      if (current === undefined && !replace) {
        await files.deleteVersion(draft.name, language, version);
        throw exists(now ?? { name: draft.name, version: 1 });
      }
      // Saved after ours was claimed, so it is the later one; ours stays in the history.
      if (now !== undefined && now.version > version) return now;
    }
    try {
      const info = await files.write(draft.name, language, text, same?.info.revision ?? null);
      for (const other of found) if (other !== same) await dropOther(files, other);
      return await catalog.take({ name: draft.name, language, info }, text, merge, version);
    } catch (error) {
      if (!ArtificerError.is(error, "storage/conflict")) throw error;
    }
  }
}

function merged(draft: SkillDraft): { matter: FrontMatter; body: string; program: string; language: Language } {
  const split = splitFrontMatter(draft.source);
  const own = readFrontMatter(split);
  const language = draft.language ?? own.language ?? "python";
  const given: FrontMatter = {
    description: draft.description?.trim(),
    tags: draft.tags,
    requiredEnvironmentVariables: draft.requiredEnvironmentVariables,
    deps: draft.deps,
  };
  const matter = { ...own, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
  // What was a divider and no front matter stays where it was.
  const body = Object.keys(own).length === 0 && split.commented ? draft.source : split.body;
  const { program } = split;
  return {
    matter: { ...matter, language: undefined },
    body: body.endsWith("\n") ? body : `${body}\n`,
    program,
    language,
  };
}

function requireFit({ source, name }: SkillDraft, maxBytes: number): void {
  const bytes = new TextEncoder().encode(source).byteLength;
  if (bytes <= maxBytes) return;
  throw new ArtificerError("skill/too-large", `The source of ${name} has ${bytes} bytes; ${maxBytes} are allowed.`, {
    details: { name, bytes, maxBytes },
    hint: "Move data into an artifact, and parts that stand alone into skills of their own.",
  });
}

function requireNoSecret(source: string): void {
  const found = findSecret(source);
  if (found === undefined) return;
  throw new ArtificerError("skill/secret-in-source", `Line ${found.line} of the source holds ${found.kind}.`, {
    details: { line: found.line, kind: found.kind },
    hint: "Skills are kept and shown. Read it from the environment instead, and name the variable in required_environment_variables.",
  });
}

async function requireSound(language: Language, source: string, analyze: AnalyzeSource): Promise<Inspection> {
  const inspection = await inspectSkill(language, source, analyze);
  if (inspection.problem !== undefined) throw inspection.problem;
  if (inspection.unavailable !== undefined) throw errorFromJson(inspection.unavailable);
  return inspection;
}

async function claimVersion(
  { files }: Shelf,
  name: string,
  language: Language,
  render: (version: number) => string,
): Promise<{ version: number; text: string }> {
  for (;;) {
    const version = ((await files.versions(name)).at(-1)?.version ?? 0) + 1;
    const text = render(version);
    try {
      await files.writeVersion(name, language, version, text);
      return { version, text };
    } catch (error) {
      if (!ArtificerError.is(error, "storage/conflict")) throw error;
    }
  }
}

/** A skill that changed its language leaves its old file; one that somebody changed meanwhile stays, and is told of by the catalog. */
async function dropOther(files: SkillFiles, file: SkillFile): Promise<void> {
  try {
    await files.delete(file);
  } catch (error) {
    if (!ArtificerError.is(error, "storage/conflict")) throw error;
  }
}

function exists({ name, version }: { name: string; version: number }): ArtificerError {
  return new ArtificerError("skill/exists", `There is a skill named ${name} already (version ${version}).`, {
    details: { name, version },
    hint: "Choose another name, or say replace to save yours as its next version.",
  });
}

function conflict(name: string, wanted: number, version: number | undefined): ArtificerError {
  return new ArtificerError("skill/conflict", `The skill ${name} is at version ${version ?? "none"}, not ${wanted}.`, {
    details: { name, version: version ?? null, ifVersion: wanted },
    hint: "Get it again, bring your change into that version, and save once more.",
  });
}
