import { ArtificerError, type Language, type Value, type VariableInfo } from "@artificer/protocol";
import type { Namespaces } from "../handles/handle-context.js";
import { openNamespaces } from "../handles/open-namespaces.js";
import { createJournal } from "../journal/create-journal.js";
import type { Journal } from "../journal/journal.js";
import type { Kernel } from "../kernel/kernel.js";
import { createOutcome, type Outcome } from "../outcome/outcome.js";
import type { Redactor } from "../redaction/redactor.js";
import { sessionRedactor } from "../redaction/session-redactor.js";
import type { SnapshotReport } from "../snapshots/snapshot-report.js";
import { createToolset } from "../tools/create-toolset.js";
import type { Toolset } from "../tools/toolset.js";
import { checkCode } from "./check-code.js";
import { createSlots } from "./create-slots.js";
import { executeCell, type RunOptions } from "./execute-cell.js";
import type { KernelSlot } from "./kernel-slot.js";
import { defaultLimits, type SessionLimits } from "./limits.js";
import { listVariables, readVariable } from "./read-variable.js";
import { rebindKernels } from "./rebind-kernels.js";
import { RecentLogs } from "./recent-logs.js";
import { remarkInCells } from "./remark-in-cells.js";
import { resumeSession } from "./resume-session.js";
import { createSessionCare, type SessionCare } from "./session-care.js";
import { sessionClosed } from "./session-closed.js";
import { SessionFacade } from "./session-facade.js";
import { sessionId } from "./session-id.js";
import type { CoreSessionOptions, SessionProblem } from "./session-options.js";
import { skillCrossings } from "./skill-crossings.js";
import { tellSharedNames } from "./tell-shared-names.js";
import { unknownLanguage } from "./unknown-language.js";

/**
 * What one agent conversation owns: at most one live kernel a language, its namespaces, its journal.
 * Cells of one language run in the order they come. Nothing is started before the first cell needs it.
 */
export class CoreSession extends SessionFacade {
  readonly id: string;
  readonly limits: SessionLimits;
  readonly #options: CoreSessionOptions;
  readonly #slots: Map<Language, KernelSlot>;
  readonly #logs = new RecentLogs();
  readonly #toolset: Toolset;
  protected readonly namespaces: Namespaces;
  readonly #journal: Journal;
  readonly #problems: SessionProblem[];
  readonly #care: SessionCare;
  readonly #children = new Set<CoreSession>();
  readonly #redactor: Redactor;
  #cells = 0;
  #opening: Promise<number> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: CoreSessionOptions) {
    super();
    this.#options = options;
    if (options.parent !== undefined) options.parent.#adopt(this);
    this.id = sessionId(options.id);
    this.limits = { ...defaultLimits, ...options.limits };
    this.#problems = [...(options.problems ?? [])];
    this.#redactor = sessionRedactor(options);
    this.#care = createSessionCare(options, this.limits, { onProblem: (problem) => this.report(problem) });
    this.#toolset = createToolset({ toolkits: [...(options.toolkits ?? [])], hooks: options.toolHooks ?? [] });
    this.#toolset.onChanged(() => rebindKernels(this.#slots, this.#toolset));
    this.namespaces = openNamespaces({
      ...options,
      session: this.id,
      toolset: this.#toolset,
      slot: (language) => this.#slot(language),
      invokeElsewhere: skillCrossings((code, options) => this.#run(code, options, true), {
        stash: (value) => this.namespaces.shared.stash(value),
      }),
      onDepPaths: (paths) => this.#slots.get("python")?.kernel?.request("kernel.paths", { paths }).reply,
      maxSharedBytes: this.limits.maxSharedBytes,
      onSharedNames: (names) => tellSharedNames(this.#slots.get("typescript"), names),
      onProblem: (problem) => this.report(problem),
      onVariablesRequired: (skill, names) => remarkInCells(this.#slots, this.#care.environment.require(skill, names)),
    });
    this.#journal = createJournal({
      storage: options.storage,
      session: this.id,
      onProblem: ({ code, message, hint }) => this.report({ code, message, ...(hint === undefined ? {} : { hint }) }),
    });
    this.#slots = createSlots(options, {
      session: this.id,
      limits: this.limits,
      toolset: this.#toolset,
      namespaces: this.namespaces,
      logs: this.#logs,
      care: this.#care,
      redactor: this.#redactor,
      ready: () => this.ready(),
      onProblem: (problem) => this.report(problem),
    });
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
   * Resolves when the session may be used; `run` waits for it by itself.
   *
   * @throws ArtificerError `session/not-owner` when it belongs to somebody else.
   */
  async ready(): Promise<void> {
    this.#opening ??= resumeSession(this.#slots, { ...this.#options, session: this.id, journal: this.#journal });
    this.#cells = Math.max(this.#cells, await this.#opening);
  }

  /**
   * Runs a cell to its outcome, whatever the cell does. Interrupted by `signal`, keeping the kernel's state when it can.
   *
   * @throws ArtificerError only for the caller's own mistakes: `session/closed`, `session/not-owner`, `session/unknown-language`, `cell/not-a-string`, `cell/too-large`.
   */
  run(code: string, options: RunOptions = {}): Promise<Outcome> {
    return this.#run(code, options, false);
  }

  async #run(code: string, options: RunOptions, forCell: boolean): Promise<Outcome> {
    const slot = this.#slot(options.language ?? "python");
    checkCode(code, this.limits.maxCodeBytes);
    await this.ready();
    const cell = ++this.#cells;
    this.#journal.append({ kind: "cell", cell, language: slot.language, code: this.#redactor.text(code) });
    const context = {
      session: this.id,
      cell,
      limits: this.limits,
      artifacts: this.namespaces.artifacts,
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
    const slot = await this.#ready(language);
    await slot.stop(new ArtificerError("kernel/killed", "the kernel was restarted on request."));
    await slot.keeper?.forget();
  }

  /** The user's variables in a live kernel, or those kept of an earlier one; none otherwise. */
  async variables(language: Language = "python"): Promise<VariableInfo[]> {
    return listVariables(await this.#stateful(language));
  }

  /**
   * A variable as data, by the codec of values.
   *
   * @throws ArtificerError `session/unknown-variable`, `value/not-encodable` and its kin, `cell/value-too-large`
   */
  async value(name: string, { language = "python" }: { language?: Language } = {}): Promise<Value> {
    return readVariable(await this.#stateful(language), name);
  }

  /** Saves the variables now. @returns what was saved, what was not, what it cost; undefined when snapshots are off or no cell ran. */
  async snapshot(language: Language = "python"): Promise<SnapshotReport | undefined> {
    return (await this.#ready(language)).keeper?.flush();
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
    await Promise.all(Array.from(this.#children, (child) => child.close()));
    await Promise.all(Array.from(this.#slots.values(), (slot) => slot.close(reason)));
    await this.#care.staging?.remove();
    if (this.#options.parent !== undefined) this.#options.parent.#children.delete(this);
    await this.#journal.close();
    await this.#toolset.close();
    for (const part of this.#options.owned ?? []) await part.close();
  }

  /** The kernel that has the language's variables: the live one, or one started to restore them into. */
  async #stateful(language: Language): Promise<Kernel | undefined> {
    const slot = await this.#ready(language);
    return slot.kernel ?? (slot.keeper?.stored ? slot.ensure() : undefined);
  }

  #adopt(child: CoreSession): void {
    if (this.#closing !== undefined) throw sessionClosed();
    this.#children.add(child);
  }

  async #ready(language: Language): Promise<KernelSlot> {
    const slot = this.#slot(language);
    await this.ready();
    return slot;
  }

  #slot(language: Language): KernelSlot {
    if (this.#closing !== undefined) throw sessionClosed();
    const slot = this.#slots.get(language);
    if (slot !== undefined) return slot;
    throw unknownLanguage(language, [...this.#slots.keys()]);
  }
}
