import { randomUUID } from "node:crypto";
import { ArtificerError, type Language, type Value, type VariableInfo, variablesListResult } from "@artificer/protocol";
import type { ArtifactInfo, ArtifactSaveOptions } from "../artifacts/artifact-store.js";
import type { Dep } from "../deps/dep-list.js";
import type { Namespaces, SkillElsewhere } from "../handles/handle-context.js";
import { openNamespaces } from "../handles/open-namespaces.js";
import { createJournal } from "../journal/create-journal.js";
import type { Journal } from "../journal/journal.js";
import { createOutcome, type Outcome } from "../outcome/outcome.js";
import type { Redactor } from "../redaction/redactor.js";
import { sessionRedactor } from "../redaction/session-redactor.js";
import type { Skill, SkillDraft, SkillInfo, SkillMatch } from "../skills/skill-library.js";
import { createToolset } from "../tools/create-toolset.js";
import type { ToolMatch } from "../tools/tool-search.js";
import type { ToolInfo, Toolset } from "../tools/toolset.js";
import { checkCode } from "./check-code.js";
import { crossedBack } from "./crossed-back.js";
import { type CellOptions, executeCell } from "./execute-cell.js";
import { invocationCode } from "./invocation-code.js";
import { KernelSlot } from "./kernel-slot.js";
import { defaultLimits, type SessionLimits } from "./limits.js";
import { rebindKernels } from "./rebind-kernels.js";
import { RecentLogs } from "./recent-logs.js";
import { createSessionCare, type SessionCare } from "./session-care.js";
import { sessionClosed } from "./session-closed.js";
import type { CoreSessionOptions, SessionProblem } from "./session-options.js";
import { skillResult } from "./skill-result.js";
import { startSessionKernel } from "./start-session-kernel.js";
import { unknownLanguage } from "./unknown-language.js";

/** What may be said about one run. */
export interface RunOptions extends CellOptions {
  /** Default `python`. */
  language?: Language;
}

/**
 * What one agent conversation owns: at most one live kernel a language, its namespaces, its journal.
 * Cells of one language run in the order they come. Nothing is started before the first cell needs it.
 */
export class CoreSession {
  readonly id: string;
  readonly limits: SessionLimits;
  readonly #options: CoreSessionOptions;
  readonly #slots = new Map<Language, KernelSlot>();
  readonly #logs = new RecentLogs();
  readonly #toolset: Toolset;
  readonly #namespaces: Namespaces;
  readonly #journal: Journal;
  readonly #problems: SessionProblem[];
  readonly #care: SessionCare;
  readonly #children = new Set<CoreSession>();
  /** Languages whose kernel waits for a skill in another one, and so can't run anything. */
  readonly #waiting = new Set<Language>();
  readonly #redactor: Redactor;
  #cells = 0;
  #closing: Promise<void> | undefined;

  constructor(options: CoreSessionOptions) {
    this.#options = options;
    if (options.parent !== undefined) options.parent.#adopt(this);
    this.id = options.id ?? randomUUID();
    this.limits = { ...defaultLimits, ...options.limits };
    this.#problems = [...(options.problems ?? [])];
    this.#redactor = sessionRedactor(options);
    this.#care = createSessionCare(options, this.limits, { onProblem: (problem) => this.report(problem) });
    this.#toolset = createToolset({ toolkits: [...(options.toolkits ?? [])], hooks: options.toolHooks ?? [] });
    this.#toolset.onChanged(() => rebindKernels(this.#slots, this.#toolset));
    this.#namespaces = openNamespaces({
      ...options,
      session: this.id,
      toolset: this.#toolset,
      slot: (language) => this.#slot(language),
      invokeElsewhere: (call, signal) => this.#invokeElsewhere(call, signal),
      onDepPaths: (paths) => this.#slots.get("python")?.kernel?.request("kernel.paths", { paths }).reply,
      onProblem: (problem) => this.report(problem),
      onVariablesRequired: (skill, names) => this.#requireVariables(skill, names),
    });
    this.#journal = createJournal({
      storage: options.storage,
      session: this.id,
      onProblem: ({ code, message, hint }) => this.report({ code, message, ...(hint === undefined ? {} : { hint }) }),
    });
    for (const program of options.programs) {
      this.#slots.set(
        program.language,
        new KernelSlot(
          program,
          (slot, generation, signal) =>
            startSessionKernel(
              slot,
              {
                options,
                program,
                session: this.id,
                generation,
                limits: this.limits,
                bindings: this.#toolset.bindings(program.language),
                namespaces: this.#namespaces,
                logs: this.#logs,
                care: this.#care,
                onProblem: (problem) => this.report(problem),
              },
              { signal },
            ),
          this.#redactor,
        ),
      );
    }
  }

  /** Adds to the problems, once. */
  report(problem: SessionProblem): void {
    if (!this.#problems.some(({ code, message }) => code === problem.code && message === problem.message))
      this.#problems.push(problem);
  }

  /** What it was made of, for a session that works for this one. */
  get parts(): CoreSessionOptions {
    return this.#options;
  }

  /** What is off, missing or fell back. */
  get problems(): readonly SessionProblem[] {
    return this.#problems;
  }

  /**
   * Runs a cell to its outcome, whatever the cell does. Interrupted by `signal`, keeping the kernel's state when it can.
   *
   * @throws ArtificerError only for the caller's own mistakes: `session/closed`, `session/unknown-language`, `cell/not-a-string`, `cell/too-large`.
   */
  run(code: string, options: RunOptions = {}): Promise<Outcome> {
    return this.#run(code, options, false);
  }

  async #run(code: string, options: RunOptions, forCell: boolean): Promise<Outcome> {
    const slot = this.#slot(options.language ?? "python");
    checkCode(code, this.limits.maxCodeBytes);
    const cell = ++this.#cells;
    this.#journal.append({ kind: "cell", cell, language: slot.language, code: this.#redactor.text(code) });
    const context = {
      session: this.id,
      cell,
      limits: this.limits,
      artifacts: this.#namespaces.artifacts,
      redactor: this.#redactor,
      forCell,
      onLog: this.#logs.add.bind(this.#logs, cell),
    };
    const outcome = createOutcome(await executeCell(slot, code, { ...options, context }));
    for (const call of outcome.toolCalls) this.#journal.append({ kind: "tool-call", cell, call });
    this.#journal.append({ kind: "outcome", outcome });
    return outcome;
  }

  /** Ends the language's kernel: its variables are gone, the next cell starts another generation. */
  async restart(language: Language = "python"): Promise<void> {
    const slot = this.#slot(language);
    await slot.stop(new ArtificerError("kernel/killed", "the kernel was restarted on request."));
  }

  /** The user's variables in a live kernel; none when no kernel lives. */
  async variables(language: Language = "python"): Promise<VariableInfo[]> {
    const { kernel } = this.#slot(language);
    return kernel === undefined ? [] : variablesListResult.parse(await kernel.request("variables.list", {}).reply);
  }

  async listTools(): Promise<ToolInfo[]> {
    return this.#toolset.list();
  }

  async searchTools(query: string, options?: { limit?: number; signal?: AbortSignal }): Promise<ToolMatch[]> {
    return (await this.#namespaces.toolSearch()).search(query, options);
  }

  get toolset(): Toolset {
    return this.#toolset;
  }

  async listSkills(options?: { tag?: string }): Promise<SkillInfo[]> {
    return (await this.#namespaces.skills()).list(options);
  }

  async searchSkills(query: string, options?: { limit?: number; signal?: AbortSignal }): Promise<SkillMatch[]> {
    return (await this.#namespaces.skills()).search(query, options);
  }

  async getSkill(name: string): Promise<Skill> {
    return (await this.#namespaces.skills()).get(name);
  }

  async createSkill(draft: SkillDraft, options?: { replace?: boolean }): Promise<Skill> {
    return (await this.#namespaces.skills()).create(draft, options);
  }

  async deleteSkill(name: string): Promise<boolean> {
    return (await this.#namespaces.skills()).delete(name);
  }

  /** Runs a skill as a cell of its language. @throws ArtificerError `skill/not-found` */
  async invokeSkill(name: string, args: Record<string, Value> = {}, options?: CellOptions): Promise<Outcome> {
    const { language } = await this.getSkill(name);
    return this.run(invocationCode(language, name, args), { ...options, language });
  }

  async saveArtifact(name: string, value: Value, options?: ArtifactSaveOptions): Promise<ArtifactInfo> {
    return this.#namespaces.artifacts.save(name, value, options);
  }

  async loadArtifact(name: string): Promise<Value> {
    return this.#namespaces.artifacts.load(name);
  }

  async getArtifact(name: string): Promise<ArtifactInfo> {
    return this.#namespaces.artifacts.get(name);
  }

  async listArtifacts(options?: { prefix?: string }): Promise<ArtifactInfo[]> {
    return this.#namespaces.artifacts.list(options);
  }

  async artifactExists(name: string): Promise<boolean> {
    return this.#namespaces.artifacts.exists(name);
  }

  async deleteArtifact(name: string): Promise<boolean> {
    return this.#namespaces.artifacts.delete(name);
  }

  async listDeps(): Promise<Dep[]> {
    return this.#namespaces.deps.list();
  }

  async addDep(spec: string, options?: { signal?: AbortSignal }): Promise<Dep> {
    return this.#namespaces.deps.add(spec, options);
  }

  async removeDep(name: string): Promise<boolean> {
    return this.#namespaces.deps.remove(name);
  }

  async syncDeps(options?: { signal?: AbortSignal }): Promise<{ installed: string[] }> {
    return this.#namespaces.deps.sync(options);
  }

  /** Ends the kernels and closes what the session owns. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    const reason = new ArtificerError("kernel/closed", "the session was closed.");
    await Promise.all(Array.from(this.#children, (child) => child.close()));
    await Promise.all(Array.from(this.#slots.values(), (slot) => slot.close(reason)));
    await this.#care.staging?.remove();
    if (this.#options.parent !== undefined) this.#options.parent.#children.delete(this);
    await this.#journal.close();
    await this.#toolset.close();
    for (const part of this.#options.owned ?? []) await part.close();
  }

  /** Runs a skill in its own language's kernel, as a cell of its own, while the calling cell waits. */
  async #invokeElsewhere({ from, language, name, args }: SkillElsewhere, signal: AbortSignal): Promise<Value> {
    if (this.#waiting.has(language)) throw crossedBack(from, language, name);
    this.#waiting.add(from);
    try {
      return skillResult(name, await this.#run(invocationCode(language, name, args), { language, signal }, true));
    } finally {
      this.#waiting.delete(from);
    }
  }

  #adopt(child: CoreSession): void {
    this.#refuseClosed();
    this.#children.add(child);
  }

  #requireVariables(skill: string, names: readonly string[]): void {
    const remark = this.#care.environment.require(skill, names);
    if (remark === undefined) return;
    for (const slot of this.#slots.values()) slot.remark(remark);
  }

  #refuseClosed(): void {
    if (this.#closing !== undefined) throw sessionClosed();
  }

  #slot(language: Language): KernelSlot {
    this.#refuseClosed();
    const slot = this.#slots.get(language);
    if (slot !== undefined) return slot;
    throw unknownLanguage(language, [...this.#slots.keys()]);
  }
}
