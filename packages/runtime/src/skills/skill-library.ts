import type { Language, SourceParameter } from "@artificer/protocol";

/** How far a skill is trusted: outcomes move it along. */
export type SkillLifecycle = "draft" | "tested" | "trusted" | "stale" | "retired";

/** A skill without its source. */
export interface SkillInfo {
  name: string;
  description: string;
  language: Language;
  /** From 1; every save makes another. */
  version: number;
  tags: string[];
  parameters: SourceParameter[];
  returns?: string;
  lifecycle: SkillLifecycle;
  /** `name(owner: str, repo: str) -> int`. */
  signature: string;
  /** SHA-256 of the file. */
  hash: string;
  updatedAt: Date;
  /** Tools it calls, as `toolkit.tool`: named in its front matter or seen in its source. */
  tools: string[];
  /** Skills it calls by a literal name. */
  skills: string[];
  deps: string[];
  requiredEnvironmentVariables: string[];
  /** Set when the file on disk can't be used, and says why and how to mend it; it is listed all the same. */
  problem?: { code: string; message: string; hint?: string };
}

export interface Skill extends SkillInfo {
  /** The file as it is, front matter included, so that its lines are those of tracebacks. */
  source: string;
}

/** A saved version; the newest may be the current one, or that of a skill that was deleted. */
export interface SkillVersion {
  version: number;
  language: Language;
  /** SHA-256 of the file. */
  hash: string;
  bytes: number;
  savedAt: Date;
}

export interface SkillMatch extends SkillInfo {
  /** Higher is better; comparable within one search only. */
  score: number;
}

export interface SkillDraft {
  name: string;
  /** Source that defines `run`. May begin with front matter of its own; fields given here win. */
  source: string;
  description?: string;
  language?: Language;
  tags?: string[];
  requiredEnvironmentVariables?: string[];
  deps?: string[];
}

/** What a kernel needs to run a skill. */
export interface LoadedSkill {
  name: string;
  language: Language;
  version: number;
  hash: string;
  source: string;
  requiredEnvironmentVariables: string[];
}

/** Saved skills: validated, versioned, found by words, meaning and use. Never executed here. */
export interface SkillLibrary {
  list(options?: { tag?: string }): Promise<SkillInfo[]>;
  search(query: string, options?: { limit?: number; signal?: AbortSignal }): Promise<SkillMatch[]>;
  /** @throws ArtificerError `skill/not-found`, naming the nearest. */
  get(name: string): Promise<Skill>;
  /**
   * Saves a skill. Of two that replace the same one at the same time, both become versions, and the later one is current.
   *
   * @throws ArtificerError `skill/exists` unless `replace`; `skill/invalid-name`, `skill/no-run`, `skill/syntax`, `skill/too-large`,
   * `skill/secret-in-source`, `skill/invalid-front-matter`; `skill/conflict` when the current version is not `ifVersion`
   */
  create(draft: SkillDraft, options?: { replace?: boolean; ifVersion?: number }): Promise<Skill>;
  /** @returns whether there was one; its versions stay in the history. */
  delete(name: string): Promise<boolean>;
  /** For running: refuses cycles and too deep a stack. `stack` holds the names of the skills that are running, outermost first. */
  load(name: string, stack: readonly string[]): Promise<LoadedSkill>;
  /** Tells how a run went, so that life-cycle and search learn. `query` is the search that led to it, if one did. */
  used(use: SkillUse): Promise<void>;
  /** Every version that was ever saved, oldest first; of a deleted skill too. Empty when there never was one. */
  history(name: string): Promise<SkillVersion[]>;
  /** The text of a version. @throws ArtificerError `skill/not-found`, naming the versions there are. */
  version(name: string, version: number): Promise<string>;
  /** Makes an old version current again, as a new version; brings a deleted skill back. @throws ArtificerError as `version` and `create` */
  rollback(name: string, version: number): Promise<Skill>;
}

/** How one run of a skill went. */
export interface SkillUse {
  name: string;
  version: number;
  ok: boolean;
  ms: number;
  error?: string;
  query?: string;
}
