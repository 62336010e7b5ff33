export { openSearchIndex, type SearchIndexOptions } from "./search/open-search-index.js";
export type { SearchDocument, SearchHit, SearchIndex } from "./search/search-index.js";
export type { AnalyzeSource } from "./skills/inspect-skill.js";
export { openSkillLibrary, type SkillLibraryOptions, type SkillLimits } from "./skills/open-skill-library.js";
export type {
  LoadedSkill,
  Skill,
  SkillDraft,
  SkillInfo,
  SkillLibrary,
  SkillLifecycle,
  SkillMatch,
  SkillUse,
  SkillVersion,
} from "./skills/skill-library.js";
