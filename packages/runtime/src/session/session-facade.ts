import type { Value } from "@artificer/protocol";
import type { ArtifactInfo, ArtifactSaveOptions } from "../artifacts/artifact-store.js";
import type { Dep } from "../deps/dep-list.js";
import type { Namespaces } from "../handles/handle-context.js";
import type { Outcome } from "../outcome/outcome.js";
import type { Approvals } from "../policy/approvals.js";
import type { SharedInfo } from "../shared/shared-values.js";
import type { Skill, SkillDraft, SkillInfo, SkillMatch } from "../skills/skill-library.js";
import { type CatalogOptions, renderCatalog } from "../tools/render-catalog.js";
import type { ToolMatch } from "../tools/tool-search.js";
import type { ToolInfo, Toolset } from "../tools/toolset.js";
import type { CellOptions, RunOptions } from "./execute-cell.js";
import { invocationCode } from "./invocation-code.js";

/** What a session's namespaces offer to the host: the same tools, skills, artifacts and deps that its cells reach by handles. */
export abstract class SessionFacade {
  protected abstract readonly namespaces: Namespaces;

  abstract run(code: string, options?: RunOptions): Promise<Outcome>;

  async listTools(): Promise<ToolInfo[]> {
    return this.namespaces.toolset.list();
  }

  async searchTools(query: string, options?: { limit?: number; signal?: AbortSignal }): Promise<ToolMatch[]> {
    return (await this.namespaces.toolSearch()).search(query, options);
  }

  /** The tools as a text within a budget of tokens, whose first line says COMPLETE or PARTIAL; as `tools.catalog()` in cells. */
  catalogTools(options?: CatalogOptions): string {
    return renderCatalog(this.namespaces.toolset.list(), options);
  }

  /** What waits for a person, and the way to decide it. */
  get approvals(): Approvals {
    return this.namespaces.policy.desk;
  }

  get toolset(): Toolset {
    return this.namespaces.toolset;
  }

  async listSkills(options?: { tag?: string }): Promise<SkillInfo[]> {
    return (await this.namespaces.skills()).list(options);
  }

  async searchSkills(query: string, options?: { limit?: number; signal?: AbortSignal }): Promise<SkillMatch[]> {
    return (await this.namespaces.skills()).search(query, options);
  }

  async getSkill(name: string): Promise<Skill> {
    return (await this.namespaces.skills()).get(name);
  }

  async createSkill(draft: SkillDraft, options?: { replace?: boolean }): Promise<Skill> {
    return (await this.namespaces.skills()).create(draft, options);
  }

  async deleteSkill(name: string): Promise<boolean> {
    return (await this.namespaces.skills()).delete(name);
  }

  /** Runs a skill as a cell of its language. @throws ArtificerError `skill/not-found` */
  async invokeSkill(name: string, args: Record<string, Value> = {}, options?: CellOptions): Promise<Outcome> {
    const { language } = await this.getSkill(name);
    return this.run(invocationCode(language, name, args, this.namespaces.shared), {
      ...options,
      language,
      check: false,
    });
  }

  async saveArtifact(name: string, value: Value, options?: ArtifactSaveOptions): Promise<ArtifactInfo> {
    return this.namespaces.artifacts.save(name, value, options);
  }

  async loadArtifact(name: string): Promise<Value> {
    return this.namespaces.artifacts.load(name);
  }

  async getArtifact(name: string): Promise<ArtifactInfo> {
    return this.namespaces.artifacts.get(name);
  }

  async listArtifacts(options?: { prefix?: string }): Promise<ArtifactInfo[]> {
    return this.namespaces.artifacts.list(options);
  }

  async artifactExists(name: string): Promise<boolean> {
    return this.namespaces.artifacts.exists(name);
  }

  async deleteArtifact(name: string): Promise<boolean> {
    return this.namespaces.artifacts.delete(name);
  }

  /**
   * Hands a value to cells of either language: there it is `shared.<name>`. It lives as long as the session.
   *
   * @throws ArtificerError `shared/invalid-name`, `shared/limit-reached`, and what the codec of values refuses
   */
  async share(name: string, value: Value): Promise<SharedInfo> {
    return this.namespaces.shared.share(name, value, { from: "host" });
  }

  /** A copy of what a cell, or the host, has shared. @throws ArtificerError `shared/not-found` with the nearest names */
  async take(name: string): Promise<Value> {
    return this.namespaces.shared.take(name);
  }

  /** What is shared: names, sizes and where from. */
  async listShared(): Promise<SharedInfo[]> {
    return this.namespaces.shared.list();
  }

  /** Lets go of a shared value; tells whether there was one. */
  async unshare(name: string): Promise<boolean> {
    return this.namespaces.shared.remove(name);
  }

  async listDeps(): Promise<Dep[]> {
    return this.namespaces.deps.list();
  }

  async addDep(spec: string, options?: { signal?: AbortSignal }): Promise<Dep> {
    return this.namespaces.deps.add(spec, options);
  }

  async removeDep(name: string): Promise<boolean> {
    return this.namespaces.deps.remove(name);
  }

  async syncDeps(options?: { signal?: AbortSignal }): Promise<{ installed: string[] }> {
    return this.namespaces.deps.sync(options);
  }
}
