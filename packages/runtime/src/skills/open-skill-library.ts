import {
  ArtificerError,
  type Embedder,
  type ErrorCode,
  isErrorCode,
  nearestNames,
  type Storage,
} from "@artificer/protocol";
import { openSearchIndex } from "../search/open-search-index.js";
import type { SearchDocument } from "../search/search-index.js";
import type { SearchLimits } from "../search/search-limits.js";
import type { AnalyzeSource } from "./inspect-skill.js";
import { saveSkill } from "./save-skill.js";
import { openSkillCatalog, type SkillCatalog } from "./skill-catalog.js";
import { skillDocument } from "./skill-document.js";
import type { SkillEntry } from "./skill-entry.js";
import { createSkillFiles, type SkillFiles } from "./skill-files.js";
import { skillInfo } from "./skill-info.js";
import type { Skill, SkillLibrary } from "./skill-library.js";
import { isSkillName, requireSkillName } from "./skill-name.js";
import { openSkillUsage } from "./skill-usage.js";
import { splitFrontMatter } from "./split-front-matter.js";

export interface SkillLimits {
  /** Largest skill, in bytes. Default 256 KiB. */
  maxBytes?: number;
  /** Skills that may call one another in a chain. Default 16. */
  maxDepth?: number;
  /** Successes in a row that make a skill trusted. Default 5. */
  trustedAfter?: number;
}

export interface SkillLibraryOptions {
  storage: Storage;
  analyze: AnalyzeSource;
  embedder?: Embedder;
  limits?: SkillLimits;
  search?: SearchLimits;
  /** Told once each of what works less than fully. */
  onProblem?: (message: string) => void;
}

const defaultLimit = 10;
const longestPreparationMs = 10_000;

/**
 * The skills in a storage: a file each, edited here or by people, read and embedded only when it changed. Several
 * libraries, in one process or in many, may work on the same storage.
 */
export async function openSkillLibrary(options: SkillLibraryOptions): Promise<SkillLibrary> {
  const { storage, analyze, embedder, limits = {}, search = {} } = options;
  const { maxBytes = 256 * 1024, maxDepth = 16, trustedAfter = 5 } = limits;
  const told = new Set<string>();
  const onProblem = (message: string) => {
    if (told.has(message)) return;
    told.add(message);
    options.onProblem?.(message);
  };
  const files = createSkillFiles(storage);
  const catalog = await openSkillCatalog({ storage, files, analyze, maxBytes, onProblem });
  const index = await openSearchIndex({
    ...search,
    storage,
    namespace: "skills",
    embedder,
    sameForAll: true,
    onProblem,
  });
  const usage = await openSkillUsage({ storage, trustedAfter });
  const infoOf = (entry: SkillEntry) => skillInfo(entry, usage.lifecycle(entry.name, entry.version));

  /** What search knows of: made anew only when the catalogue changed. */
  let documents: { of: number; list: readonly SearchDocument[] } | undefined;
  function documentsOf(entries: ReadonlyMap<string, SkillEntry>): readonly SearchDocument[] {
    if (documents?.of === catalog.changes) return documents.list;
    const usable = [...entries.values()].filter(({ problem }) => problem === undefined || problem.passing);
    documents = { of: catalog.changes, list: usable.map(skillDocument) };
    return documents.list;
  }

  async function find(name: string): Promise<SkillEntry> {
    const entry = isSkillName(name) ? await catalog.refreshOne(name) : undefined;
    if (entry !== undefined) return entry;
    throw notFound(name, [...(await catalog.refresh()).keys()]);
  }

  async function withSource(entry: SkillEntry): Promise<Skill> {
    const source = await catalog.text(entry);
    if (source === undefined) throw notFound(entry.name, []);
    return { ...infoOf(entry), source };
  }

  /** A skill is saved all the same when its meaning can't be told, or takes too long to be. */
  async function prepare(text: string): Promise<void> {
    const signal = AbortSignal.timeout(longestPreparationMs);
    await index.prepare({ text }, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  const save: SkillLibrary["create"] = async (draft, how) =>
    withSource(await saveSkill({ files, catalog, analyze, maxBytes, prepare }, draft, how));

  async function version(name: string, wanted: number) {
    requireSkillName(name);
    const versions = await files.versions(name);
    const found = versions.find((candidate) => candidate.version === wanted);
    const text = found && (await files.readVersion(name, found));
    if (found !== undefined && text !== undefined) return { text, language: found.language };
    const there = versions.map((candidate) => candidate.version);
    throw new ArtificerError("skill/not-found", `The skill ${name} has no version ${wanted}.`, {
      details: { name, version: wanted, versions: there },
      hint: there.length === 0 ? "No version of it was ever saved." : `It has: ${there.join(", ")}.`,
    });
  }

  return {
    async list({ tag } = {}) {
      const [found] = await Promise.all([catalog.refresh(), usage.refresh()]);
      const entries = [...found.values()];
      const shown = tag === undefined ? entries : entries.filter(({ tags }) => tags.includes(tag));
      return shown.map(infoOf).sort((left, right) => (left.name < right.name ? -1 : 1));
    },
    async search(query, { limit = defaultLimit, signal } = {}) {
      // Three questions to the storage at once: each of them waits for it.
      const refreshed = catalog.refresh(signal);
      const [entries] = await Promise.all([
        refreshed,
        usage.refresh(),
        index.sync(refreshed.then(documentsOf), { signal }),
      ]);
      const hits = await index.search(query, { limit, signal });
      return hits.flatMap(({ id, score }) => {
        const entry = entries.get(id);
        return entry === undefined ? [] : [{ ...infoOf(entry), score }];
      });
    },
    get: async (name) => withSource(await find(name)),
    create: save,
    async delete(name) {
      if (!isSkillName(name)) return false;
      const deleted = await deleteFiles(files, catalog, name);
      await catalog.refreshOne(name);
      return deleted;
    },
    async load(name, stack) {
      refuseEndless(name, stack, maxDepth);
      const entry = await find(name);
      if (entry.problem !== undefined && !entry.problem.passing) throw problemError(entry);
      const { source, ...info } = await withSource(entry);
      return {
        name,
        language: info.language,
        version: info.version,
        hash: info.hash,
        requiredEnvironmentVariables: info.requiredEnvironmentVariables,
        source: splitFrontMatter(source).program,
      };
    },
    async used(use) {
      // A skill deleted while it ran leaves nothing to learn for.
      if (!isSkillName(use.name) || (await catalog.refreshOne(use.name)) === undefined) return;
      await usage.record(use);
      if (use.ok && use.query !== undefined) await index.learn(use.name, use.query);
    },
    async history(name) {
      requireSkillName(name);
      return files.versions(name);
    },
    version: async (name, wanted) => (await version(name, wanted)).text,
    async rollback(name, wanted) {
      const { text, language } = await version(name, wanted);
      return save({ name, source: text, language }, { replace: true });
    },
  };
}

/** Whatever is there becomes a version first, so that nothing that somebody wrote is lost. */
async function deleteFiles(files: SkillFiles, catalog: SkillCatalog, name: string): Promise<boolean> {
  let deleted = false;
  for (;;) {
    await catalog.refreshOne(name);
    try {
      const found = await files.find(name);
      for (const file of found) deleted = (await files.delete(file)) || deleted;
      return deleted;
    } catch (error) {
      if (!ArtificerError.is(error, "storage/conflict")) throw error;
    }
  }
}

function notFound(name: string, names: readonly string[]): ArtificerError {
  const nearest = nearestNames(String(name), names);
  return new ArtificerError("skill/not-found", `There is no skill named ${JSON.stringify(name)}.`, {
    details: { name: String(name), nearest },
    hint:
      nearest.length > 0
        ? `Did you mean ${nearest.join(" or ")}?`
        : "Search with skills.search(...), or see them all with skills.list().",
  });
}

function refuseEndless(name: string, stack: readonly string[], maxDepth: number): void {
  const chain = [...stack, name].join(" -> ");
  if (stack.includes(name))
    throw new ArtificerError("skill/cycle", `The skill ${name} would call itself: ${chain}.`, {
      details: { chain: [...stack, name] },
      hint: "Use a loop or a function inside the skill, or split off the part that both need.",
    });
  if (stack.length >= maxDepth)
    throw new ArtificerError("skill/too-deep", `Skills call one another more than ${maxDepth} deep: ${chain}.`, {
      details: { chain: [...stack, name], maxDepth },
      hint: "Call some of them from the outer skill instead.",
    });
}

function problemError({ name, problem }: SkillEntry): ArtificerError {
  const code: ErrorCode = isErrorCode(problem?.code) ? problem.code : "skill/failed";
  return new ArtificerError(code, `The skill ${name} can't be used. ${problem?.message ?? ""}`, {
    details: { name },
    hint: problem?.hint,
  });
}
