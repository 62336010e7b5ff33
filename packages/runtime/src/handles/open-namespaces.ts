import { type Embedder, type Language, type SourceAnalysis, type Storage, sourceAnalysis } from "@artificer/protocol";
import { createArtifactStore } from "../artifacts/create-artifact-store.js";
import { createDepList } from "../deps/create-dep-list.js";
import type { DepInstaller } from "../deps/dep-installer.js";
import type { SessionPolicy } from "../policy/session-policy.js";
import type { SearchLimits } from "../search/search-limits.js";
import type { KernelSlot } from "../session/kernel-slot.js";
import type { SessionProblem } from "../session/session-options.js";
import { createSharedValues } from "../shared/create-shared-values.js";
import { openSkillLibrary } from "../skills/open-skill-library.js";
import type { SkillLibrary } from "../skills/skill-library.js";
import { watchRequiredVariables } from "../skills/watch-required-variables.js";
import { openToolSearch, type ToolSearch } from "../tools/tool-search.js";
import type { Toolset } from "../tools/toolset.js";
import type { Namespaces, SkillElsewhere } from "./handle-context.js";

export interface NamespacesOptions {
  session: string;
  storage: Storage;
  embedder?: Embedder;
  search?: SearchLimits;
  policy: SessionPolicy;
  toolset: Toolset;
  depInstaller?: DepInstaller;
  allowRuntimeDeps?: boolean;
  /** Told when a running kernel should import deps from other folders. */
  onDepPaths(paths: readonly string[]): Promise<unknown> | undefined;
  slot(language: Language): KernelSlot;
  invokeElsewhere(call: SkillElsewhere, signal: AbortSignal): Promise<unknown>;
  environment(): Readonly<Record<string, string>>;
  /** Whether the session may see the artifact of this name. */
  maySee(name: string): Promise<boolean>;
  maxSharedBytes: number;
  /** Told the names of what is shared when they have changed. */
  onSharedNames(names: string[]): void;
  onProblem(problem: SessionProblem): void;
  /** A skill that is looked at or run needs these environment variables. */
  onVariablesRequired(skill: string, names: readonly string[]): void;
}

/** What the handles of a session's cells reach. Skills and tool search are opened when they are first needed. */
export function openNamespaces(options: NamespacesOptions): Namespaces {
  const { session, storage, policy, toolset } = options;
  const embedder = options.embedder === undefined ? {} : { embedder: options.embedder };
  let skills: Promise<SkillLibrary> | undefined;
  let toolSearch: Promise<ToolSearch> | undefined;

  const openSkills = async () =>
    watchRequiredVariables(
      await openSkillLibrary({
        storage,
        ...embedder,
        ...(options.search === undefined ? {} : { search: options.search }),
        analyze: (language, source) => analyze(options.slot(language), source),
        onProblem: (message) => options.onProblem({ code: "search/degraded", message }),
      }),
      options.onVariablesRequired,
    );

  const openTools = () =>
    openToolSearch(toolset, storage, {
      ...options.search,
      ...embedder,
      onProblem: (message) => options.onProblem({ code: "search/degraded", message }),
    });

  return {
    session,
    policy,
    toolset,
    environment: options.environment,
    artifacts: createArtifactStore({ storage, maySee: options.maySee }),
    shared: createSharedValues({ maxBytes: options.maxSharedBytes, onNames: options.onSharedNames }),
    deps: createDepList({
      storage,
      ...(options.depInstaller === undefined ? {} : { installer: options.depInstaller }),
      ...(options.allowRuntimeDeps === undefined ? {} : { allowRuntimeDeps: options.allowRuntimeDeps }),
      onPaths: options.onDepPaths,
    }),
    skills: () => (skills ??= openSkills()),
    toolSearch: () => (toolSearch ??= openTools()),
    toolUsed(toolkit, tool) {
      void toolSearch?.then(
        (search) => search.used(toolkit, tool),
        () => {},
      );
    },
    settle: async () => (await toolSearch?.catch(() => undefined))?.settle(),
    prepareSkill: (language, source) => options.slot(language).program.source?.prepareSkill(source) ?? source,
    invokeElsewhere: options.invokeElsewhere,
  };
}

/** Reads a skill's source with its language's own tooling, on the host or in a kernel; runs none of it. */
async function analyze(slot: KernelSlot, source: string): Promise<SourceAnalysis> {
  if (slot.program.source !== undefined) return slot.program.source.analyze(source);
  const kernel = await slot.ensure();
  return sourceAnalysis.parse(await kernel.request("source.analyze", { source, entry: "run" }).reply);
}
