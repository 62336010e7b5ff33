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
  /** Set when the file on disk can't be used, and says why and how to mend it; it is listed all the same. */
  problem?: { code: string; message: string; hint?: string };
}

export interface Skill extends SkillInfo {
  source: string;
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
}

/** Saved skills: validated, versioned, found by words, meaning and use. Never executed here. */
export interface SkillLibrary {
  list(options?: { tag?: string }): Promise<SkillInfo[]>;
  search(query: string, options?: { limit?: number; signal?: AbortSignal }): Promise<SkillMatch[]>;
  /** @throws ArtificerError `skill/not-found`, naming the nearest. */
  get(name: string): Promise<Skill>;
  /** @throws ArtificerError `skill/exists` unless `replace`; `skill/invalid-name`, `skill/no-run`, `skill/syntax`, `skill/too-large`, `skill/secret-in-source`, `skill/conflict` */
  create(draft: SkillDraft, options?: { replace?: boolean }): Promise<Skill>;
  /** @returns whether there was one; its versions stay in the history. */
  delete(name: string): Promise<boolean>;
  /** For running: refuses cycles and too deep a stack. `stack` holds the names of the skills that are running, outermost first. */
  load(name: string, stack: readonly string[]): Promise<LoadedSkill>;
  /** Tells how a run went, so that life-cycle and search learn. `query` is the search that led to it, if one did. */
  used(use: { name: string; version: number; ok: boolean; ms: number; error?: string; query?: string }): Promise<void>;
}
