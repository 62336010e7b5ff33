import { randomUUID } from "node:crypto";
import { ArtificerError, type Language, type Value, type VariableInfo, variablesListResult } from "@artificer/protocol";
import type { ArtifactInfo, ArtifactSaveOptions } from "../artifacts/artifact-store.js";
import type { Dep } from "../deps/dep-list.js";
import type { Namespaces, SkillElsewhere } from "../handles/handle-context.js";
import { openNamespaces } from "../handles/open-namespaces.js";
import { createJournal } from "../journal/create-journal.js";
import type { Journal } from "../journal/journal.js";
import type { Kernel } from "../kernel/kernel.js";
import { createOutcome, type Outcome } from "../outcome/outcome.js";
import type { Skill, SkillDraft, SkillInfo, SkillMatch } from "../skills/skill-library.js";
import type { SnapshotReport } from "../snapshots/snapshot-report.js";
import { createToolset } from "../tools/create-toolset.js";
import type { ToolMatch } from "../tools/tool-search.js";
import type { ToolInfo, Toolset } from "../tools/toolset.js";
import { checkCode } from "./check-code.js";
import { createSlots } from "./create-slots.js";
import { type CellOptions, executeCell } from "./execute-cell.js";
import { invocationCode } from "./invocation-code.js";
import type { KernelSlot } from "./kernel-slot.js";
import { defaultLimits, type SessionLimits } from "./limits.js";
import { readVariable } from "./read-variable.js";
import { RecentLogs } from "./recent-logs.js";
import { resumeSession } from "./resume-session.js";
import type { CoreSessionOptions, SessionProblem } from "./session-options.js";
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
  readonly #slots: Map<Language, KernelSlot>;
  readonly #logs = new RecentLogs();
  readonly #toolset: Toolset;
  readonly #namespaces: Namespaces;
  readonly #journal: Journal;
  readonly #problems: SessionProblem[];
  /** Languages whose kernel waits for a skill in another one, and so can't run anything. */
  readonly #waiting = new Set<Language>();
  #cells = 0;
  #opening: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: CoreSessionOptions) {
    this.#options = options;
    this.id = options.id ?? randomUUID();
    this.limits = { ...defaultLimits, ...options.limits };
    this.#problems = [...(options.problems ?? [])];
    this.#toolset = createToolset({ toolkits: [...(options.toolkits ?? [])] });
    this.#namespaces = openNamespaces({
      ...options,
      session: this.id,
      toolset: this.#toolset,
      slot: (language) => this.#slot(language),
      invokeElsewhere: (call, signal) => this.#invokeElsewhere(call, signal),
      onProblem: (problem) => this.#report(problem),
    });
    this.#journal = createJournal({
      storage: options.storage,
      session: this.id,
      onProblem: ({ code, message, hint }) => this.#report({ code, message, ...(hint === undefined ? {} : { hint }) }),
    });
    this.#slots = createSlots(options, {
      session: this.id,
      limits: this.limits,
      toolset: this.#toolset,
      namespaces: this.#namespaces,
      logs: this.#logs,
      ready: () => this.ready(),
      onProblem: (problem) => this.#report(problem),
    });
  }

  /** What is off, missing or fell back. */
  get problems(): readonly SessionProblem[] {
    return this.#problems;
  }

  /**
   * Resolves when the session may be used; `run` waits for it by itself.
   *
   * @throws ArtificerError `session/not-owner` when it belongs to somebody else.
   */
  async ready(): Promise<void> {
    this.#opening ??= this.#open();
    await this.#opening;
  }

  /**
   * Runs a cell to its outcome, whatever the cell does. Interrupted by `signal`, keeping the kernel's state when it can.
   *
   * @throws ArtificerError only for the caller's own mistakes: `session/closed`, `session/not-owner`, `session/unknown-language`, `cell/not-a-string`, `cell/too-large`.
   */
  async run(code: string, options: RunOptions = {}): Promise<Outcome> {
    const slot = this.#slot(options.language ?? "python");
    checkCode(code, this.limits.maxCodeBytes);
    await this.ready();
    const cell = ++this.#cells;
    this.#journal.append({ kind: "cell", cell, language: slot.language, code });
    const context = {
      session: this.id,
      cell,
      limits: this.limits,
      artifacts: this.#namespaces.artifacts,
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
    await this.ready();
    await slot.stop(new ArtificerError("kernel/killed", "the kernel was restarted on request."));
    await slot.keeper?.forget();
  }

  /** The user's variables in a live kernel, or those kept of an earlier one; none otherwise. */
  async variables(language: Language = "python"): Promise<VariableInfo[]> {
    const kernel = await this.#stateful(language);
    return kernel === undefined ? [] : variablesListResult.parse(await kernel.request("variables.list", {}).reply);
  }

  /**
   * A variable as data, by the codec of values.
   *
   * @throws ArtificerError `session/unknown-variable`, `value/not-encodable` and its kin, `cell/value-too-large`
   */
  async value(name: string, { language = "python" }: { language?: Language } = {}): Promise<Value> {
    return readVariable(await this.#stateful(language), name);
  }

  /** Saves the variables now. @returns what was saved, what was not and why, and what it cost; undefined when snapshots are off or no cell ran. */
  async snapshot(language: Language = "python"): Promise<SnapshotReport | undefined> {
    const slot = this.#slot(language);
    await this.ready();
    return slot.keeper?.flush();
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

  async addDep(spec: string): Promise<Dep> {
    return this.#namespaces.deps.add(spec);
  }

  async removeDep(name: string): Promise<boolean> {
    return this.#namespaces.deps.remove(name);
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
    await Promise.all(Array.from(this.#slots.values(), (slot) => slot.keeper?.flush()));
    await Promise.all(Array.from(this.#slots.values(), (slot) => slot.stop(reason)));
    await this.#journal.close();
    await this.#toolset.close();
    for (const part of this.#options.owned ?? []) await part.close();
  }

  async #open(): Promise<void> {
    const slots = [...this.#slots.values()];
    this.#cells = await resumeSession(slots, { ...this.#options, session: this.id, journal: this.#journal });
  }

  /** The kernel that has the language's variables: the live one, or one started to restore them into. */
  async #stateful(language: Language): Promise<Kernel | undefined> {
    const slot = this.#slot(language);
    await this.ready();
    return slot.kernel ?? (slot.keeper?.stored ? slot.ensure() : undefined);
  }

  /** Runs a skill in its own language's kernel, as a cell of its own, while the calling cell waits. */
  async #invokeElsewhere({ from, language, name, args }: SkillElsewhere, signal: AbortSignal): Promise<Value> {
    if (this.#waiting.has(language)) throw crossedBack(from, language, name);
    this.#waiting.add(from);
    try {
      const outcome = await this.run(invocationCode(language, name, args), { language, signal });
      if (outcome.status === "completed") return outcome.value ?? null;
      throw new ArtificerError("skill/failed", outcome.error?.message ?? `The skill ${name} ${outcome.status}.`, {
        details: { skill: name, status: outcome.status, traceback: outcome.traceback },
      });
    } finally {
      this.#waiting.delete(from);
    }
  }

  #slot(language: Language): KernelSlot {
    if (this.#closing !== undefined) {
      throw new ArtificerError("session/closed", "The session is closed; it runs no more cells.", {
        hint: "Open another session on the same base.",
      });
    }
    const slot = this.#slots.get(language);
    if (slot !== undefined) return slot;
    throw unknownLanguage(language, [...this.#slots.keys()]);
  }

  #report(problem: SessionProblem): void {
    if (!this.#problems.some(({ code, message }) => code === problem.code && message === problem.message))
      this.#problems.push(problem);
  }
}

function crossedBack(from: Language, language: Language, name: string): ArtificerError {
  return new ArtificerError(
    "session/busy",
    `The skill ${name} needs the ${language} kernel, which waits for the ${from} skill that calls it.`,
    {
      details: { skill: name, language, from },
      hint: `Call ${name} from the ${language} side and pass its result on, or write it in ${from}.`,
    },
  );
}
