import { ArtificerError, type Language, type Value } from "@artificer/protocol";
import type { Namespaces } from "../handles/handle-context.js";
import { openNamespaces } from "../handles/open-namespaces.js";
import { createJournal } from "../journal/create-journal.js";
import type { Journal } from "../journal/journal.js";
import type { Kernel } from "../kernel/kernel.js";
import type { Outcome } from "../outcome/outcome.js";
import { SessionPolicy } from "../policy/session-policy.js";
import { secretForms } from "../redaction/known-secrets.js";
import type { Redactor } from "../redaction/redactor.js";
import { sessionRedactor } from "../redaction/session-redactor.js";
import type { SnapshotReport } from "../snapshots/snapshot-report.js";
import { createToolset } from "../tools/create-toolset.js";
import type { Toolset } from "../tools/toolset.js";
import { checkCode } from "./check-code.js";
import { checkRunOptions } from "./check-run-options.js";
import { createSlots } from "./create-slots.js";
import { type DeletedSession, deleteSession } from "./delete-session.js";
import type { RunOptions } from "./execute-cell.js";
import { hintFacts } from "./hint-facts.js";
import { keptOutputAccess } from "./kept-output-access.js";
import type { KernelSlot } from "./kernel-slot.js";
import { defaultLimits, type SessionLimits } from "./limits.js";
import { applyLiveLimits } from "./live-limits.js";
import { listVariables, readVariable } from "./read-variable.js";
import { rebindKernels } from "./rebind-kernels.js";
import { RecentLogs } from "./recent-logs.js";
import { type CellParts, recordedCell } from "./recorded-cell.js";
import { remarkInCells } from "./remark-in-cells.js";
import { RepeatedFailures } from "./repeated-failures.js";
import { resumeSession } from "./resume-session.js";
import { createSessionCare, type SessionCare } from "./session-care.js";
import { sessionClosed } from "./session-closed.js";
import { SessionFacade } from "./session-facade.js";
import { joinFamily } from "./session-family.js";
import { sessionId } from "./session-id.js";
import { sessionInfo } from "./session-info.js";
import type { CoreSessionOptions, SessionProblem } from "./session-options.js";
import { registerSession, type SessionInfo } from "./session-registry.js";
import { type SessionVariable, withMakers } from "./session-variable.js";
import { skillCrossings } from "./skill-crossings.js";
import { tellSharedNames } from "./tell-shared-names.js";
import { unknownLanguage } from "./unknown-language.js";
import { wantsCheck } from "./wants-check.js";

/**
 * What one agent conversation owns: at most one live kernel a language, its namespaces, its journal.
 * Cells of one language run in the order they come. Nothing is started before the first cell needs it.
 */
export class CoreSession extends SessionFacade {
  readonly id: string;
  readonly limits: SessionLimits;
  readonly #options: CoreSessionOptions;
  readonly #slots: Map<Language, KernelSlot>;
  readonly #cellParts: CellParts;
  readonly #toolset: Toolset;
  protected readonly namespaces: Namespaces;
  readonly #journal: Journal;
  readonly #problems: SessionProblem[];
  readonly #care: SessionCare;
  readonly #children = new Set<CoreSession>();
  readonly #redactor: Redactor;
  readonly #learned: [name: string, value: string][] = [];
  #cells = 0;
  #opening: Promise<number> | undefined;
  #closing: Promise<void> | undefined;
  readonly #openedAt = new Date();
  #unregister: () => void = () => {};
  /** Done once nothing of the session works any more, with its storage still open. */
  #lastAct: (() => Promise<void>) | undefined;

  constructor(options: CoreSessionOptions) {
    super();
    this.#options = options;
    if (options.parent !== undefined) options.parent.#adopt(this);
    this.id = sessionId(options.id);
    this.limits = { ...defaultLimits, ...options.limits };
    this.#problems = [...(options.problems ?? [])];
    this.#redactor = sessionRedactor(options);
    if (options.parent !== undefined) for (const secret of options.parent.#learned) this.learnSecret(...secret);
    this.#care = createSessionCare(options, this.limits, { onProblem: (problem) => this.report(problem) });
    const { owner, storage, toolkits = [], toolHooks: hooks = [] } = options;
    const policy = new SessionPolicy({
      session: this.id,
      owner,
      policy: options.policy,
      parent: options.parent?.namespaces.policy,
      storage,
      redact: (text) => this.#redactor.text(text),
      onProblem: (problem) => this.report(problem.toJSON()),
    });
    this.#toolset = createToolset({ toolkits: [...toolkits], hooks, gate: policy });
    this.#toolset.onChanged(() => rebindKernels(this.#slots, this.#toolset));
    this.namespaces = openNamespaces({
      ...options,
      session: this.id,
      policy,
      toolset: this.#toolset,
      slot: (language) => this.#slot(language),
      invokeElsewhere: skillCrossings((code, options) => this.#run(code, options, true), {
        stash: (value) => this.namespaces.shared.stash(value),
      }),
      onDepPaths: (paths) => this.#slots.get("python")?.kernel?.request("kernel.paths", { paths }).reply,
      maxSharedBytes: this.limits.maxSharedBytes,
      onSharedNames: (names) => tellSharedNames(this.#slots.get("typescript"), names),
      onProblem: (problem) => this.report(problem),
      environment: () => this.#care.environment.asked(),
      maySee: keptOutputAccess({ storage, family: joinFamily(this, options.parent), owner }),
      onVariablesRequired: (skill, names) => remarkInCells(this.#slots, this.#care.environment.require(skill, names)),
    });
    this.#journal = createJournal({
      storage,
      session: this.id,
      onProblem: ({ code, message, hint }) => this.report({ code, message, ...(hint === undefined ? {} : { hint }) }),
    });
    const logs = new RecentLogs();
    this.#cellParts = {
      session: this.id,
      limits: this.limits,
      namespaces: this.namespaces,
      journal: this.#journal,
      redactor: this.#redactor,
      hints: hintFacts(options, this.#toolset),
      repeated: new RepeatedFailures(),
      logs,
    };
    this.#slots = createSlots(options, {
      session: this.id,
      limits: this.limits,
      toolset: this.#toolset,
      namespaces: this.namespaces,
      logs,
      care: this.#care,
      redactor: this.#redactor,
      ready: () => this.ready(),
      onProblem: (problem) => this.report(problem),
    });
    this.#unregister = registerSession(this);
  }

  /** Adds to the problems, once. */
  report(problem: SessionProblem): void {
    if (!this.#problems.some(({ code, message }) => code === problem.code && message === problem.message))
      this.#problems.push(problem);
  }

  /** Has a secret that became known later redacted from here on, here and in the sessions of sub-agents. Told by its name. */
  learnSecret(name: string, value: string): void {
    if (this.#options.redaction === "off") return;
    this.#learned.push([name, value]);
    this.#redactor.learn(secretForms(name, value));
    for (const child of this.#children) child.learnSecret(name, value);
  }

  /** What it was made of, for a session that works for this one. */
  get parts(): CoreSessionOptions {
    return this.#options;
  }

  /** What is known of it from the outside, as `listSessions` tells it. */
  get info(): SessionInfo {
    return sessionInfo(this.#options, { id: this.id, openedAt: this.#openedAt, slots: this.#slots.values() });
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

  async #run(code: string, options: RunOptions & { within?: number }, forCell: boolean): Promise<Outcome> {
    const slot = this.#slot(options.language ?? "python");
    checkCode(code, this.limits.maxCodeBytes);
    checkRunOptions(options);
    const check = !forCell && wantsCheck(slot, options.check, this.#options.check);
    await this.ready();
    applyLiveLimits(this.limits, this.#options.liveLimits, slot);
    const cell = ++this.#cells;
    return recordedCell(slot, code, { ...options, check, cell, forCell, parts: this.#cellParts });
  }

  /** Ends the language's kernel: its variables are gone, the next cell starts another generation. */
  async restart(language: Language = "python"): Promise<void> {
    const slot = await this.#ready(language);
    await slot.stop(new ArtificerError("kernel/killed", "the kernel was restarted on request."));
    await slot.keeper?.forget();
  }

  /** The user's variables in a live kernel, with the cell and author that bound each last, or those kept of an earlier one; none otherwise. */
  async variables(language: Language = "python"): Promise<SessionVariable[]> {
    const kernel = await this.#stateful(language);
    return withMakers(await listVariables(kernel), this.#slot(language).makers);
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

  /**
   * Closes the session and deletes what is kept of it: variables, journal, kept outputs. Skills and artifacts that were saved by
   * name stay.
   *
   * @throws ArtificerError `session/closed`, `session/not-owner`, `storage/…`
   */
  async delete(): Promise<DeletedSession> {
    if (this.#closing !== undefined) throw sessionClosed();
    await this.ready();
    const { storage, owner } = this.#options;
    let deleted: DeletedSession | undefined;
    this.#lastAct = async () => {
      deleted = await deleteSession(storage, this.id, owner === undefined ? {} : { owner });
    };
    await this.close();
    if (deleted === undefined) throw sessionClosed();
    return deleted;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    const reason = new ArtificerError("kernel/closed", "the session was closed.");
    this.namespaces.policy.close();
    await Promise.all(Array.from(this.#slots.values(), (slot) => slot.keeper?.flush()));
    await Promise.all(Array.from(this.#children, (child) => child.close()));
    await Promise.all(Array.from(this.#slots.values(), (slot) => slot.close(reason)));
    await Promise.all(Array.from(this.#slots.values(), (slot) => slot.checks?.close()));
    await this.#care.staging?.remove();
    if (this.#options.parent !== undefined) this.#options.parent.#children.delete(this);
    await this.namespaces.settle();
    await this.#journal.close();
    await this.#toolset.close();
    this.#unregister();
    try {
      await this.#lastAct?.();
    } finally {
      for (const part of this.#options.owned ?? []) await part.close();
    }
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
