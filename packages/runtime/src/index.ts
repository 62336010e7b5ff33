export type { ArtifactInfo, ArtifactKind, ArtifactSaveOptions, ArtifactStore } from "./artifacts/artifact-store.js";
export { createArtifactStore } from "./artifacts/create-artifact-store.js";
export { type KeptOutputLimits, sweepKeptOutputs } from "./artifacts/sweep-kept-outputs.js";
export type { CellToolProgress } from "./cell/active-cell.js";
export type { Heartbeat } from "./cell/start-heartbeat.js";
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
export type {
  ApprovalDecision,
  ApprovalKind,
  ApprovalRequest,
  ApprovalSettlement,
  Approvals,
  Decider,
} from "./policy/approvals.js";
export { checkPolicy } from "./policy/check-policy.js";
export { inspectPolicy } from "./policy/inspect-policy.js";
export { nameGlob } from "./policy/name-glob.js";
export type {
  ApprovalOptions,
  ArgumentPattern,
  ArgumentTest,
  CallBudget,
  PolicyAction,
  PolicyOptions,
  PolicyRule,
} from "./policy/policy-options.js";
export { policySchema } from "./policy/policy-schema.js";
export { openSearchIndex, type SearchIndexOptions } from "./search/open-search-index.js";
export type { SearchDocument, SearchHit, SearchIndex } from "./search/search-index.js";
export type { SearchLimits } from "./search/search-limits.js";
export { artificerHome } from "./session/artificer-home.js";
export { type DeletedSession, type DeleteSessionOptions, deleteSession } from "./session/delete-session.js";
export type { CellOptions, RunOptions } from "./session/execute-cell.js";
export { defaultLimits, type SessionLimits } from "./session/limits.js";
export type { LimitsChange, LiveLimits } from "./session/live-limits.js";
export type { StartupCode } from "./session/run-startup-code.js";
export { CoreSession } from "./session/session.js";
export type { CoreSessionOptions, SessionMode, SessionProblem } from "./session/session-options.js";
export { type KernelInfo, listSessions, type SessionInfo } from "./session/session-registry.js";
export type { SessionVariable } from "./session/session-variable.js";
export type { SharedInfo } from "./shared/shared-values.js";
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
export type { TransferProgress, TransferredItem } from "./store/carry-out.js";
export { collectGarbage, type Garbage, type GarbageOptions } from "./store/collect-garbage.js";
export type { PlannedItem, Side, SideState, TransferAction, TransferDirection } from "./store/plan-transfer.js";
export { skillContentHash } from "./store/skill-content.js";
export { type StorePeer, storeIdentity } from "./store/store-identity.js";
export type { Inventory, SkillHistory, StoreItem } from "./store/store-item.js";
export { type StoreKind, storeKinds } from "./store/store-kind.js";
export { inspectItem, takeInventory } from "./store/take-inventory.js";
export { type TransferOptions, type TransferReport, transferStores } from "./store/transfer-stores.js";
export { type StoreFault, type StoreVerification, type VerifyOptions, verifyStore } from "./store/verify-store.js";
export { createToolset } from "./tools/create-toolset.js";
export { type CatalogOptions, renderCatalog } from "./tools/render-catalog.js";
export { renderPythonModuleStubs, renderPythonStubs } from "./tools/render-python-stubs.js";
export { renderTypescriptStubs } from "./tools/render-typescript-stubs.js";
export type { HookedCall, ToolHook } from "./tools/tool-hook.js";
export type { ToolMatch, ToolSearch } from "./tools/tool-search.js";
export type { ToolInfo, Toolset } from "./tools/toolset.js";
