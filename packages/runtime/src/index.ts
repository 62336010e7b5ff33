export type { ArtifactInfo, ArtifactKind, ArtifactSaveOptions, ArtifactStore } from "./artifacts/artifact-store.js";
export { createArtifactStore } from "./artifacts/create-artifact-store.js";
export { createDepList, type DepListOptions } from "./deps/create-dep-list.js";
export type { DepInstaller } from "./deps/dep-installer.js";
export type { Dep, DepList } from "./deps/dep-list.js";
export { requireDep } from "./deps/parse-dep.js";
export { createJournal } from "./journal/create-journal.js";
export type { Journal, JournalEntry } from "./journal/journal.js";
export { type EnvironmentRules, isSecretName, kernelEnvironment } from "./kernel/kernel-environment.js";
export {
  createKernelResidents,
  type KernelResidents,
  type Resident,
} from "./kernel-care/create-kernel-residents.js";
export { createKernelPool } from "./kernel-pool/create-kernel-pool.js";
export type { KernelPool, KernelPoolOptions, KernelPoolStatus } from "./kernel-pool/kernel-pool.js";
export { createOutcome, type Outcome } from "./outcome/outcome.js";
export type { OutcomeTextOptions } from "./outcome/outcome-to-text.js";
export { openSearchIndex, type SearchIndexOptions } from "./search/open-search-index.js";
export type { SearchDocument, SearchHit, SearchIndex } from "./search/search-index.js";
export { artificerHome } from "./session/artificer-home.js";
export type { CellOptions, RunOptions } from "./session/execute-cell.js";
export { defaultLimits, type SessionLimits } from "./session/limits.js";
export { CoreSession } from "./session/session.js";
export type { CoreSessionOptions, SessionMode, SessionProblem } from "./session/session-options.js";
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
export { defaultSnapshotOptions, type SnapshotOptions } from "./snapshots/snapshot-options.js";
export type { SnapshotReport } from "./snapshots/snapshot-report.js";
export { createMemoryStorage } from "./storage/create-memory-storage.js";
export { createToolset } from "./tools/create-toolset.js";
export { renderPythonModuleStubs, renderPythonStubs } from "./tools/render-python-stubs.js";
export { renderTypescriptStubs } from "./tools/render-typescript-stubs.js";
export type { HookedCall, ToolHook } from "./tools/tool-hook.js";
export type { ToolMatch, ToolSearch } from "./tools/tool-search.js";
export type { ToolInfo, Toolset } from "./tools/toolset.js";
